import Chat
import Crypto
import Foundation
import Synchronization

/// A scripted GitHub identity service: accounts by code, each valid once, with the verifier of its flow.
final class ScriptedIdentity: GitHubIdentity {
  struct Asked: Equatable {
    var code: String
    var verifier: String
    var redirectURI: String
  }

  private struct State {
    var answers: [String: Result<GitHubAccount, GitHubIdentityFailure>] = [:]
    var asked: [Asked] = []
    var before: (@Sendable () async -> Void)?
  }

  private let state = Mutex(State())

  var asked: [Asked] { state.withLock { $0.asked } }

  /// Sets the result of `code`, valid once.
  func script(_ code: String, _ answer: Result<GitHubAccount, GitHubIdentityFailure>) {
    state.withLock { $0.answers[code] = answer }
  }

  /// Runs during the request to GitHub.
  func beforeAnswer(_ work: (@Sendable () async -> Void)?) {
    state.withLock { $0.before = work }
  }

  func authorizationAddress(state: String, codeChallenge: String, redirectURI: String) -> String {
    "https://github.example/authorize?state=\(state)&code_challenge=\(codeChallenge)&redirect_uri=\(redirectURI)"
  }

  func account(
    code: String, codeVerifier: String, redirectURI: String
  ) async throws(GitHubIdentityFailure) -> GitHubAccount {
    let (answer, before) = state.withLock { state in
      state.asked.append(Asked(code: code, verifier: codeVerifier, redirectURI: redirectURI))
      return (state.answers.removeValue(forKey: code), state.before)
    }
    await before?()
    guard let answer else { throw .expired }
    return try answer.get()
  }

  func beginDeviceFlow() async throws(GitHubIdentityFailure) -> DeviceAuthorization {
    throw .misconfigured("device_flow_disabled")
  }

  func account(for device: DeviceAuthorization) async throws(GitHubIdentityFailure) -> GitHubAccount {
    throw .expired
  }
}

extension GitHubAccount {
  static func person(_ id: Int64, _ login: String, _ name: String? = nil) -> GitHubAccount {
    GitHubAccount(
      id: id, login: login, type: "User", name: name, avatarURL: "https://avatars.example/u/\(id)")
  }
}
