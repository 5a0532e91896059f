import Base
import Chat
import Crypto
import HTTP
import HTTPServer

/// A GitHub sign-in in progress (docs/decisions/0009-github-identity.md): the state needed at its end, kept in a cookie
/// of its own, so that the server stores nothing for people who never return, and may be restarted in between.
struct GitHubFlow: Hashable, Sendable {
  enum Purpose: Hashable, Sendable {
    /// Signing in, optionally with an invitation's token.
    case signIn(invitation: String?)
    /// Linking an account to that of a session; `binding` proves knowledge of the session's secret.
    case link(binding: String)
  }

  /// The lifetime in milliseconds: that of GitHub's code.
  static let lifetime: Int64 = 600_000

  /// Returned with GitHub's response; 256 random bits.
  var state: String
  /// The secret that the code is useless without (RFC 7636).
  var verifier: String
  var purpose: Purpose
  /// Where to redirect at the end.
  var returnTo: ReturnAddress
  var startedAt: Timestamp

  /// base64url of the SHA-256 of the verifier (RFC 7636 section 4.2).
  var challenge: String {
    var digest = Array(SHA256.hash(data: Array(verifier.utf8)))
    digest.append(0)
    // Three bytes become four characters; the last one encodes only the padding byte and is dropped.
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var text: [UInt8] = []
    for index in stride(from: 0, to: digest.count, by: 3) {
      let group = Int(digest[index]) << 16 | Int(digest[index + 1]) << 8 | Int(digest[index + 2])
      for shift in [18, 12, 6, 0] { text.append(alphabet[group >> shift & 63]) }
    }
    return String(decoding: text.dropLast(), as: UTF8.self)
  }

  /// Whether it is still valid. Setting the clock back or forward ends it, and the person starts again.
  func isGood(at time: Timestamp) -> Bool {
    (0...GitHubFlow.lifetime).contains(time.milliseconds - startedAt.milliseconds)
  }

  /// A value that only somebody who knows the session's secret could have put into the cookie. So a site that plants a
  /// cookie cannot link its own GitHub account to somebody's account here.
  static func binding(_ session: Session, state: String) -> String {
    Hexadecimal.text(SHA256.hash(data: session.secretHash + Array(state.utf8)))
  }

  /// Compares two secrets in a time that does not depend on where they differ.
  static func areSame(_ one: String, _ other: String) -> Bool {
    SymmetricKey(data: Array(one.utf8)) == SymmetricKey(data: Array(other.utf8))
  }

  // MARK: The cookie's value

  /// `state.verifier.began.purpose.proof.address`
  var text: String {
    let (kind, proof) =
      switch purpose {
      case .signIn(let invitation): ("s", invitation ?? "")
      case .link(let binding): ("l", binding)
      }
    return [
      state, verifier, String(startedAt.milliseconds), kind, proof, PercentEncoding.encode(returnTo.path),
    ].joined(separator: ".")
  }

  /// Parses `text`; nil if it is invalid.
  init?(text: String) {
    let parts = text.split(separator: ".", maxSplits: 5, omittingEmptySubsequences: false).map { String($0) }
    guard parts.count == 6, GitHubFlow.isSecret(parts[0]), GitHubFlow.isSecret(parts[1]),
      let milliseconds = Int64(parts[2]), (0...Int64(1) << 50).contains(milliseconds),
      let returnTo = ReturnAddress(PercentEncoding.decode(parts[5]))
    else { return nil }
    switch parts[3] {
    case "s" where parts[4].isEmpty: purpose = .signIn(invitation: nil)
    case "s":
      guard let invitation = GitHubFlow.invitation(parts[4]) else { return nil }
      purpose = .signIn(invitation: invitation)
    case "l": purpose = .link(binding: parts[4])
    default: return nil
    }
    (state, verifier, self.returnTo) = (parts[0], parts[1], returnTo)
    startedAt = Timestamp(milliseconds: milliseconds)
  }

  /// A flow that starts now, with new secrets.
  init(purpose: (_ state: String) -> Purpose, returnTo: ReturnAddress, at time: Timestamp) {
    let secrets = SHA256Secrets()
    (state, verifier) = (secrets.makeSecret(), secrets.makeSecret())
    self.purpose = purpose(state)
    self.returnTo = returnTo
    startedAt = time
  }

  /// The token, if it has the form of one.
  static func invitation(_ token: String?) -> String? {
    guard let token, (1...128).contains(token.utf8.count),
      token.utf8.allSatisfy({
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
          || $0 == 0x5F
      })
    else { return nil }
    return token
  }

  /// 64 hexadecimal digits, as created by `SHA256Secrets`.
  private static func isSecret(_ text: String) -> Bool { text.utf8.count == 64 && Hexadecimal.bytes(text) != nil }
}

/// The cookies of a browser's flows. Each is named after its state, so that two tabs do not interfere.
struct FlowCookies: Sendable {
  /// The maximum number per browser, because every request carries all of them.
  private static let most = 4
  private let prefix: String
  private let isSecure: Bool

  /// `isSecure`: whether people use https; then browsers accept the cookies only from this host.
  init(isSecure: Bool) {
    self.isSecure = isSecure
    prefix = (isSecure ? "__Host-" : "") + "hubbub_github_"
  }

  /// Sets a flow's cookie, and clears the oldest of too many others.
  func begin(_ flow: GitHubFlow, _ head: RequestHead, in fields: inout Fields) {
    let cookies = Cookies(head)
    let others = cookies.names(beginningWith: prefix).map { name in
      (name: name, startedAt: cookies[name].flatMap { GitHubFlow(text: $0) }?.startedAt.milliseconds ?? 0)
    }
    for other in others.sorted(by: { $0.startedAt > $1.startedAt }).dropFirst(FlowCookies.most - 1)
    where GitHubFlow.invitation(other.name) != nil {
      clear(name: other.name, in: &fields)
    }
    let cookie = SetCookie(
      name: named(flow.state), value: flow.text, maxAge: Int(GitHubFlow.lifetime / 1000), isSecure: isSecure)
    fields.add(.setCookie, cookie.description)
  }

  /// The flow with this state that the request's browser has started.
  func flow(_ state: String, of head: RequestHead) -> GitHubFlow? {
    guard let flow = Cookies(head)[named(state)].flatMap({ GitHubFlow(text: $0) }),
      GitHubFlow.areSame(flow.state, state)
    else { return nil }
    return flow
  }

  /// Clears a flow's cookie.
  func end(_ state: String, in fields: inout Fields) { clear(name: named(state), in: &fields) }

  private func clear(name: String, in fields: inout Fields) {
    fields.add(.setCookie, SetCookie(name: name, value: "", maxAge: 0, isSecure: isSecure).description)
  }

  /// The name of a flow's cookie.
  func named(_ state: String) -> String {
    prefix + Hexadecimal.text(SHA256.hash(data: Array(state.utf8)).prefix(8))
  }
}
