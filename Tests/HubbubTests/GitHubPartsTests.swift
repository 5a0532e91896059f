import ArgumentParser
import Chat
import GitHub
import Logging
import Testing

@testable import hubbub

@Suite("What speaks to GitHub")
struct GitHubPartsTests {
  private func configuration(_ environment: [String: String], standIn: String? = nil) throws -> GitHubConfiguration {
    Instance.gitHub(try Settings(environment: environment), standIn: standIn)
  }

  private static let application = ["HUBBUB_GITHUB_CLIENT_ID": "id", "HUBBUB_GITHUB_CLIENT_SECRET": "secret"]

  @Test("As whom GitHub is asked: the operator, else the application, else nobody")
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
    "A1 Where GitHub's pages are follows from where its API is",
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

  @Test("Pages and hosts of pictures can be set")
  func overrides() throws {
    let configuration = try configuration([
      "HUBBUB_GITHUB": "https://h.example/api/v3", "HUBBUB_GITHUB_WEB": "https://pages.example",
      "HUBBUB_GITHUB_AVATAR_HOSTS": "pictures.example",
    ])
    #expect(configuration.webBase == "https://pages.example")
    #expect(configuration.avatarHosts.isSuperset(of: ["pictures.example", "avatars.githubusercontent.com"]))
  }

  @Test("A1 People can sign in with GitHub where an application is set up, and in the demo by the stand-in's")
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

  @Test("SECURITY 15 The client secret is no option of the command line, where others could read it")
  func secret() throws {
    #expect(throws: (any Error).self) { try ServeCommand.parse(["--github-client-secret", "x"]) }
    #expect(throws: Never.self) {
      try ServeCommand.parse(["--github-client-id", "x", "--github-web", "https://h", "--github-avatar-hosts", "p"])
    }
  }
}

/// A clock at which nothing ever becomes due.
private struct StoppedClock: ChatClock {
  private struct Nothing: ScheduledWork {
    func cancel() {}
  }

  var now: Timestamp { Timestamp(milliseconds: 0) }
  var monotonic: Duration { .zero }
  func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> any ScheduledWork { Nothing() }
}
