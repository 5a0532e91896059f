import FoundationEssentials

/// What GitHub's OAuth pages answer: an object of JSON where that was asked for, a form otherwise (API facts, section 8).
///
/// Failures come with status 200 as a rule, so an answer is judged by what is in it, never by its status. It may hold a
/// token or a device code, and therefore prints neither.
struct OAuthAnswer: CustomStringConvertible, CustomDebugStringConvertible {
  private let members: [String: String]

  /// What `body` holds; nothing where it is neither an object nor a form.
  init(_ body: [UInt8]) {
    if let object = try? JSONDecoder().decode(Members.self, from: Data(body)) {
      members = object.values
    } else if body.count <= 10_000, let text = String(validating: body, as: UTF8.self), !text.contains("<") {
      members = WebForm.decode(text.filter { !$0.isNewline })
    } else {
      members = [:]
    }
  }

  /// A member that is there and not empty.
  subscript(_ name: String) -> String? { members[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// A number of seconds within `range`, or the nearest end of it; nil where there is none.
  func seconds(_ name: String, within range: ClosedRange<Int64>) -> Duration? {
    self[name].flatMap { Int64($0) }.map { .seconds(min(max($0, range.lowerBound), range.upperBound)) }
  }

  /// The word for what went wrong, where it is one that GitHub or the standard has; `unknown` for anything else, which
  /// might be a secret in the wrong place. Nil where nothing did.
  var error: String? { self["error"].map { Self.words.contains($0) ? $0 : "unknown" } }

  /// GitHub's words (API facts, section 8) and those of RFC 6749 sections 4.1.2.1 and 5.2.
  private static let words: Set<String> = [
    "access_denied", "application_suspended", "authorization_pending", "bad_verification_code", "device_flow_disabled",
    "expired_token", "incorrect_client_credentials", "incorrect_device_code", "invalid_client", "invalid_grant",
    "invalid_request", "invalid_scope", "redirect_uri_mismatch", "server_error", "slow_down", "temporarily_unavailable",
    "token_expired", "unauthorized_client", "unsupported_grant_type", "unverified_user_email",
  ]

  var description: String { "OAuthAnswer" }
  var debugDescription: String { description }

  /// Texts and whole numbers of an object.
  private struct Members: Decodable {
    let values: [String: String]

    init(from decoder: any Decoder) throws {
      let members = try decoder.singleValueContainer().decode([String: PayloadValue].self)
      values = members.compactMapValues { value in
        switch value {
        case .text(let text): text
        case .integer(let integer): String(integer)
        default: nil
        }
      }
    }
  }
}
