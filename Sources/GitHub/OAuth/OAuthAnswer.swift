import FoundationEssentials

/// A response of GitHub's OAuth pages: a JSON object if requested, otherwise a form.
///
/// Failures usually have status 200, so a response is judged by its content, never by its status. It may contain a
/// token or a device code, so its descriptions show neither.
struct OAuthAnswer: CustomStringConvertible, CustomDebugStringConvertible {
  private let members: [String: String]

  /// Decodes `body`; empty if it is neither an object nor a form.
  init(_ body: [UInt8]) {
    if let object = try? JSONDecoder().decode(Members.self, from: Data(body)) {
      members = object.values
    } else if body.count <= 10_000, let text = String(validating: body, as: UTF8.self), !text.contains("<") {
      members = WebForm.decode(text.filter { !$0.isNewline })
    } else {
      members = [:]
    }
  }

  /// A non-empty member.
  subscript(_ name: String) -> String? { members[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// A number of seconds clamped to `range`; nil if it is missing.
  func seconds(_ name: String, within range: ClosedRange<Int64>) -> Duration? {
    self[name].flatMap { Int64($0) }.map { .seconds(min(max($0, range.lowerBound), range.upperBound)) }
  }

  /// The error code, if it is one defined by GitHub or the RFCs; otherwise `unknown`, since it might be a misplaced
  /// secret. Nil if there is no error.
  var error: String? { self["error"].map { Self.words.contains($0) ? $0 : "unknown" } }

  /// GitHub's error codes and those of RFC 6749 sections 4.1.2.1 and 5.2.
  private static let words: Set<String> = [
    "access_denied", "application_suspended", "authorization_pending", "bad_verification_code", "device_flow_disabled",
    "expired_token", "incorrect_client_credentials", "incorrect_device_code", "invalid_client", "invalid_grant",
    "invalid_request", "invalid_scope", "redirect_uri_mismatch", "server_error", "slow_down", "temporarily_unavailable",
    "token_expired", "unauthorized_client", "unsupported_grant_type", "unverified_user_email",
  ]

  var description: String { "OAuthAnswer" }
  var debugDescription: String { description }

  /// An object's strings and integers.
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
