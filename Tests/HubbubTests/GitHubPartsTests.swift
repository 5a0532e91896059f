import ArgumentParser
import Chat
import GitHub
import Logging
import TestSupport
import Testing

@testable import hubbub

@Suite("The GitHub services")
struct GitHubPartsTests {
  private func configuration(_ environment: [String: String], standIn: String? = nil) throws -> GitHubConfiguration {
    Instance.gitHub(try Settings(environment: environment), standIn: standIn)
  }

  private static let application = ["HUBBUB_GITHUB_CLIENT_ID": "id", "HUBBUB_GITHUB_CLIENT_SECRET": "secret"]

  @Test(
    "The data know GitHub by its host, wherever its API and its pages are there",
    arguments: [
      ("live", "github.com"), ("https://api.github.com", "github.com"), ("demo", "demo"),
      ("https://GitHub.Example.com:8443/api/v3/", "github.example.com"), ("https://api.octo.ghe.com", "octo.ghe.com"),
      ("http://127.0.0.1:8000", "127.0.0.1"),
    ])
  func provider(github: String, name: String) throws {
    #expect(Instance.gitHubProvider(try Settings(environment: ["HUBBUB_GITHUB": github])) == name)
  }

  @Test("The credential is the operator's token, otherwise the application's, otherwise none")
  func credentials() throws {
    let nobody = try configuration([:])
    #expect(nobody.credential == .anonymous && nobody.fallbacks.isEmpty)
    let application = try configuration(Self.application)
    #expect(application.credential == .application(id: "id", secret: "secret"))
    #expect(application.fallbacks == [.anonymous])
    let all = try configuration(Self.application.merging(["HUBBUB_GITHUB_TOKEN": "t"]) { $1 })
    #expect(all.credential == .token("t"))
    #expect(all.fallbacks == [.application(id: "id", secret: "secret"), .anonymous])
    #expect(all.retryPauses == [.seconds(1)])
  }

  @Test(
    "The address of GitHub's website is derived from that of its API", .shows("A1"),
    arguments: [
      ("live", "https://api.github.com", "https://github.com"),
      ("https://github.example.com/api/v3/", "https://github.example.com/api/v3", "https://github.example.com"),
      ("https://h.example/prefix/api/v3", "https://h.example/prefix/api/v3", "https://h.example/prefix"),
      ("https://api.octo.ghe.com", "https://api.octo.ghe.com", "https://octo.ghe.com"),
      ("https://api.github.com", "https://api.github.com", "https://github.com"),
      ("https://api.example.com", "https://api.example.com", "https://api.example.com"),
      ("http://127.0.0.1:8000", "http://127.0.0.1:8000", "http://127.0.0.1:8000"),
    ])
  func bases(_ setting: String, _ api: String, _ web: String) throws {
    let configuration = try configuration(["HUBBUB_GITHUB": setting])
    #expect(configuration.apiBase == api && configuration.webBase == web)
  }

  @Test("The website and avatar hosts can be configured")
  func overrides() throws {
    let configuration = try configuration([
      "HUBBUB_GITHUB": "https://h.example/api/v3", "HUBBUB_GITHUB_WEB": "https://pages.example",
      "HUBBUB_GITHUB_AVATAR_HOSTS": "pictures.example",
    ])
    #expect(configuration.webBase == "https://pages.example")
    #expect(configuration.avatarHosts.isSuperset(of: ["pictures.example", "avatars.githubusercontent.com"]))
  }

  @Test(
    "People can sign in with GitHub if an application is configured, and in the demo with the stand-in's", .shows("A1"))
  func signIn() throws {
    let clock = StoppedClock()
    func parts(_ environment: [String: String], standIn: String? = nil) throws -> Instance.GitHubParts {
      Instance.gitHubParts(
        try Settings(environment: environment), standIn: standIn, clock: clock, logger: Logger(label: "test"))
    }
    #expect(try parts([:]).signIn == nil)
    func address(_ parts: Instance.GitHubParts) -> String? {
      parts.signIn?.authorizationAddress(state: "s", codeChallenge: "c", redirectURI: "r")
    }
    #expect(
      try address(parts(Self.application))?.hasPrefix("https://github.com/login/oauth/authorize?client_id=id&") == true)
    let demo = try parts(["HUBBUB_GITHUB": "demo"], standIn: "http://127.0.0.1:9")
    #expect(address(demo)?.hasPrefix("http://127.0.0.1:9/login/oauth/authorize?client_id=demo-client&") == true)
    #expect(demo.client.quota() == GitHubQuota(asker: .application))
  }

  @Test("The client secret is not a command-line option, where others could read it", .shows("control 15"))
  func secret() throws {
    #expect(throws: (any Error).self) { try ServeCommand.parse(["--github-client-secret", "x"]) }
    #expect(throws: Never.self) {
      try ServeCommand.parse(["--github-client-id", "x", "--github-web", "https://h", "--github-avatar-hosts", "p"])
    }
  }
}

/// A clock on which no timer ever fires.
private struct StoppedClock: ChatClock {
  private struct Nothing: ScheduledWork {
    func cancel() {}
  }

  var now: Timestamp { Timestamp(milliseconds: 0) }
  var monotonic: Duration { .zero }
  func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> any ScheduledWork { Nothing() }
}
