import Chat
import FoundationEssentials
import HTTP
import TestSupport
import Testing

@testable import hubbub

@Suite("Settings")
struct SettingsTests {
  @Test("without any settings the defaults apply")
  func defaults() throws {
    let settings = try Settings()
    #expect(settings.host == "127.0.0.1")
    #expect(settings.port == 8080)
    #expect(settings.github == .live)
    #expect(settings.registration == .open)
    #expect(settings.isRateLimited)
  }

  @Test("options override the environment, which overrides the file")
  func precedence() throws {
    let file = ["port": "1", "host": "10.0.0.1", "data": "from-file"]
    let environment = ["HUBBUB_PORT": "2", "HUBBUB_HOST": "10.0.0.2", "UNRELATED": "x"]
    let settings = try Settings(options: ["port": "3"], environment: environment, file: file)
    #expect(settings.port == 3)
    #expect(settings.host == "10.0.0.2")
    #expect(settings.data == "from-file")
  }

  @Test(
    "a wrong value is refused with its source and the accepted values",
    arguments: [
      ("port", "seventy", "whole number"), ("port", "65536", "65535"), ("registration", "everybody", "open, invite"),
      ("rate_limit", "maybe", "on or off"), ("github", "gitlab", "live, demo"),
      ("github_web", "github.example.com", "https://"), ("github_avatar_hosts", "https://a.example/", "names of hosts"),
      ("github_formerly", "demo", "nobody's"),
      ("github_client_id", "alone", "GITHUB_CLIENT_SECRET"), ("host", "", "empty"),
      ("public_url", "chat.example.com", "https://"), ("public_url", "https://example.com/chat", "without a path"),
      ("metrics_from", "prometheus", "10.0.0.0/8"), ("host_names", "https://a", "names of hosts"),
      ("push_hosts", "http://10.0.0.1:80", "names of hosts"),
      ("push_contact", "me", "mailto:"), ("trusted_proxies", "nginx", "10.0.0.0/8"),
      ("limits", "head_seconds", "name=number"), ("limits", "size=1", "one of"), ("limits", "head_seconds=0", "from 1"),
      ("limits", "connections=x", "whole number"), ("streams_per_user", "0", "from 1"),
    ])
  func refusals(name: String, value: String, remedy: String) {
    let problem = #expect(throws: Settings.Problem.self) {
      try Settings(environment: ["HUBBUB_" + name.uppercased(): value])
    }
    #expect(problem?.description.contains("HUBBUB_" + name.uppercased()) == true)
    #expect(problem?.description.contains(remedy) == true)
  }

  @Test("each setting is an option, a variable and a key")
  func everyNameIsKnown() throws {
    let values = [
      "host": "::1", "port": "0", "data": "d", "github": "https://github.example.com/api/v3/", "github_token": "t",
      "github_client_id": "i", "github_client_secret": "s", "github_web": "https://github.example.com/",
      "github_formerly": "Old.example.com", "github_avatar_hosts": "Pictures.example.com, p2.example.com",
      "push_hosts": "push.example.com, http://127.0.0.1:9", "push_contact": "mailto:op@example.com",
      "registration": "closed", "rate_limit": "off", "streams_per_user": "7", "connections": "8",
      "connections_per_address": "9", "limits": "head_seconds=3, body_bytes=2048",
      "host_names": "hub.internal", "metrics_token": "m", "metrics_from": "10.1.0.0/16",
      "trusted_proxies": "10.0.0.0/8, ::1", "public_url": "https://chat.example.com", "assets": "a",
      "log_level": "debug",
    ]
    #expect(Set(values.keys) == Set(Settings.names))
    let fromOptions = try Settings(options: values)
    let fromFile = try Settings(file: values)
    let fromEnvironment = try Settings(
      environment: Dictionary(uniqueKeysWithValues: values.map { ("HUBBUB_" + $0.uppercased(), $1) }))
    #expect(fromOptions == fromFile)
    #expect(fromFile == fromEnvironment)
    #expect(fromFile.github == .url("https://github.example.com/api/v3"))
    #expect(fromFile.githubWeb == "https://github.example.com")
    #expect(fromFile.githubFormerly == "old.example.com")
    #expect(fromFile.githubAvatarHosts == ["pictures.example.com", "p2.example.com"])
    #expect(!fromFile.isRateLimited)
    #expect(fromFile.registration == .closed)
    #expect(fromFile.streamsPerUser == 7)
  }

  @Test(
    "with a public URL, proxies on this machine are trusted; others must be named", .shows("control 6"))
  func proxies() throws {
    #expect(try Settings().trustedProxies.isEmpty)
    let behind = ["public_url": "https://chat.example.com"]
    #expect(try Settings(options: behind).trustedProxies == .loopback)
    #expect(try !Settings(options: behind).lacksProxy)
    let nobody = try Settings(options: behind.merging(["trusted_proxies": ""]) { $1 })
    #expect(nobody.trustedProxies.isEmpty && nobody.lacksProxy)
    let elsewhere = behind.merging(["host": "0.0.0.0"]) { $1 }
    #expect(try Settings(options: elsewhere).lacksProxy)
    let named = try Settings(options: elsewhere.merging(["trusted_proxies": "10.0.0.0/8"]) { $1 })
    let here = try #require(NetworkAddress("127.0.0.1"))
    #expect(!named.lacksProxy && !named.trustedProxies.contains(here))
    #expect(try !Settings(options: ["host": "0.0.0.0"]).lacksProxy)
  }

  @Test("an unknown key in the file is refused, since it is probably a typing error")
  func unknownKey() {
    let problem = #expect(throws: Settings.Problem.self) { try Settings(file: ["prot": "80"]) }
    #expect(problem?.description.contains("\"prot\"") == true)
  }

  @Test("the config file is a JSON object of strings, numbers and flags")
  func configFile() throws {
    let text = #"{"port": 8081, "host": "0.0.0.0", "rate_limit": false}"#
    #expect(
      try ConfigFile.parse(Data(text.utf8), name: "c.json") == ["port": "8081", "host": "0.0.0.0", "rate_limit": "off"])
    for wrong in ["", "[]", #"{"port": [1]}"#, "port = 8080"] {
      let problem = #expect(throws: Settings.Problem.self) { try ConfigFile.parse(Data(wrong.utf8), name: "c.json") }
      #expect(problem?.description.contains("c.json") == true)
    }
    #expect(throws: Settings.Problem.self) { try ConfigFile.read("/nowhere/at/all.json") }
  }

  @Test("a config file with a secret that others can read is refused; without secrets it is read", .shows("control 16"))
  func readableSecrets() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "hubbub-\(UUID().uuidString).json").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    func read(_ text: String, mode: Int) throws -> [String: String] {
      try Data(text.utf8).write(to: URL(filePath: path))
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      return try ConfigFile.read(path)
    }
    let secret = #"{"github_client_secret": "s"}"#
    for mode in [0o644, 0o640, 0o604] {
      let problem = #expect(throws: Settings.Problem.self) { try read(secret, mode: mode) }
      #expect(problem?.description.contains("chmod 600") == true)
    }
    #expect(try read(secret, mode: 0o600) == ["github_client_secret": "s"])
    #expect(try read(#"{"port": 1}"#, mode: 0o644) == ["port": "1"])
  }

  @Test("Public and Templates are found at or above the program, or at the configured path")
  func assets() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "hubbub-assets-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    let deep = root.appending(path: "a/b/c")
    for folder in [deep, root.appending(path: "Public"), root.appending(path: "Templates")] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    let found = try AssetFolders.find(given: nil, program: deep.path(), working: "/")
    #expect(
      URL(filePath: found, directoryHint: .isDirectory).path()
        == URL(filePath: root.path(), directoryHint: .isDirectory).path())
    #expect(try AssetFolders.find(given: root.path(), program: "/", working: "/") == root.path())
    #expect(throws: Settings.Problem.self) { try AssetFolders.find(given: deep.path(), program: "/", working: "/") }
    #expect(throws: Settings.Problem.self) { try AssetFolders.find(given: nil, program: "/", working: "/") }
  }
}
