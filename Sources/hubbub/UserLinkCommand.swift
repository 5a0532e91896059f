import ArgumentParser
import Chat
import ChatSQLite
import EventLoop
import Foundation
import GitHub
import Logging

extension UserCommand {
  /// `hubbub user link`
  struct Link: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Link somebody's account to a GitHub account, with a code entered on GitHub.",
      discussion: """
        It needs an OAuth application whose device flow is on (HUBBUB_GITHUB_CLIENT_ID, HUBBUB_GITHUB_CLIENT_SECRET). \
        Control-C ends it; nothing is changed before GitHub has answered.
        """)
    @OptionGroup var place: Place
    @Argument(help: "The address of the account.")
    var email: String

    func run() throws {
      let settings = try place.settings()
      let session = OperatorSession(settings)
      // Looks up the account first, and closes the data while the person enters the code: a server may run meanwhile.
      let found = try session.run { [email] hands in
        // Without an application the device flow says what is missing.
        if settings.githubClientID != nil {
          try await hands.store.bind(toGitHub: Instance.gitHubProvider(settings), formerly: settings.githubFormerly)
        }
        return try await hands.member(email)
      }
      guard found.user.githubID == nil else {
        throw OperatorSession.failure(
          .dataError, "This account is linked to @\(found.user.login ?? "?") already. hubbub user unlink ends that.")
      }
      let account = try DeviceLink(settings).account { device in
        print("Open \(device.verificationAddress) and enter the code \(device.userCode)")
        print("It is valid for \(device.lifetime.components.seconds / 60) minutes. Waiting …")
        fflush(nil)
      }
      let linked = try session.run { try await $0.accounts.linkGitHub(account, to: found.user.id) }
      print("Linked \(email) to @\(linked.user.login ?? account.login).")
    }
  }

  /// `hubbub user unlink`
  struct Unlink: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Unlink the GitHub account from somebody's account, which keeps its address and password.")
    @OptionGroup var place: Place
    @Argument(help: "The address of the account.")
    var email: String

    func run() throws {
      try OperatorSession(place.settings()).run { [email] hands in
        _ = try await hands.accounts.unlinkGitHub(of: hands.member(email).user.id)
      }
    }
  }
}

/// GitHub's device flow at a terminal.
struct DeviceLink {
  private let settings: Settings
  /// Failures are reported by the command itself.
  private static let silent = Logger(label: "hubbub", factory: { _ in SwiftLogNoOpLogHandler() })

  /// Uses the application in `settings`.
  init(_ settings: Settings) { self.settings = settings }

  /// Returns the account of the person who enters the code passed to `show`. On failure prints one line that says what
  /// to do, and throws an exit code.
  func account(_ show: @escaping @Sendable (DeviceAuthorization) -> Void) throws -> GitHubAccount {
    guard settings.github != .demo else {
      throw OperatorSession.failure(
        .configuration, "The demo's GitHub is there while its server runs. Name another with HUBBUB_GITHUB.")
    }
    let group = try EventLoopGroup(count: 1)
    group.start()
    defer { group.stop() }
    let clock = SystemClock(loop: group.loops[0])
    guard
      let identity = Instance.gitHubParts(
        settings, standIn: nil, clock: clock, logger: DeviceLink.silent
      ).signIn
    else {
      throw OperatorSession.failure(
        .configuration, "There is no OAuth application. Set HUBBUB_GITHUB_CLIENT_ID and HUBBUB_GITHUB_CLIENT_SECRET.")
    }
    do {
      return try blocking {
        let device = try await identity.beginDeviceFlow()
        show(device)
        return try await identity.account(for: device)
      }
    } catch let failure as GitHubIdentityFailure {
      throw DeviceLink.failure(failure)
    }
  }

  /// Prints why GitHub did not identify the person and returns the exit code to throw.
  static func failure(_ failure: GitHubIdentityFailure) -> ExitCode {
    switch failure {
    case .denied: OperatorSession.failure(.notPermitted, "GitHub says no: the request was cancelled there.")
    case .expired: OperatorSession.failure(.temporary, "The code was not entered in time. Start again.")
    case .unverifiedEmail:
      OperatorSession.failure(.notPermitted, "GitHub requires that person to verify an email address first.")
    case .misconfigured("device_flow_disabled"):
      OperatorSession.failure(
        .configuration, "The device flow is off. Turn it on in the settings of the OAuth application at GitHub.")
    case .misconfigured(let word):
      OperatorSession.failure(
        .configuration,
        "GitHub rejects the OAuth application (\(word)). Check HUBBUB_GITHUB_CLIENT_ID and its settings.")
    case .unavailable(let failure):
      OperatorSession.failure(.temporary, "GitHub is not available: \(failure.message). Try again later.")
    }
  }
}

extension OperatorSession.Hands {
  /// The account with this address. Throws `.notFound`.
  func member(_ email: String) async throws -> OwnUser {
    let canonical = AccountRules.canonicalEmail(email)
    let found = try await store.accounts().first { $0.email != nil && $0.email == canonical }
    guard let found else { throw ChatError.notFound }
    return found
  }
}
