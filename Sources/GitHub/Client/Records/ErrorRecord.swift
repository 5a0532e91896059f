/// The usual body of an error response.
struct ErrorRecord: Decodable {
  /// One of the reasons for a 422: an object or a plain string.
  struct Reason: Decodable {
    let text: String

    private enum Key: String, CodingKey {
      case resource, field, code, message
    }

    init(from decoder: any Decoder) throws {
      if let plain = try? decoder.singleValueContainer().decode(String.self) {
        text = plain
        return
      }
      let object = try decoder.container(keyedBy: Key.self)
      let message = try? object.decodeIfPresent(String.self, forKey: .message)
      let field = try? object.decodeIfPresent(String.self, forKey: .field)
      let code = try? object.decodeIfPresent(String.self, forKey: .code)
      text = message ?? [field, code].compactMap { $0 }.joined(separator: ": ")
    }
  }

  let message: String?
  let documentation_url: String?
  let reasons: [Reason]

  private enum Key: String, CodingKey {
    case message, documentation_url, errors
  }

  init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    message = try? object.decodeIfPresent(String.self, forKey: .message)
    documentation_url = try? object.decodeIfPresent(String.self, forKey: .documentation_url)
    reasons = (try? object.decodeIfPresent([Reason].self, forKey: .errors)) ?? []
  }

  /// Message and reasons in one line; nil if there is no message.
  var line: String? {
    guard let message, !message.isEmpty else { return nil }
    let details = reasons.map(\.text).filter { !$0.isEmpty }.joined(separator: ", ")
    return details.isEmpty ? message : message + " (" + details + ")"
  }
}
