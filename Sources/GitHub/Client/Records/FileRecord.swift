import Chat
import FoundationEssentials

/// A file's contents as of a commit.
struct FileRecord: Decodable, Hashable, Sendable {
  /// The text; nil for a folder, a submodule, a link, a file that is no UTF-8 text, and one too long for GitHub to send.
  let text: String?
  /// The file's page on GitHub.
  let address: String?

  init(from decoder: any Decoder) throws {
    // A folder is a list.
    guard let object = try? LenientObject(decoder) else {
      (text, address) = (nil, nil)
      return
    }
    address = object.text("html_url")
    guard try object.required("type") == "file", object.text("encoding") == "base64",
      let bytes = object.value("content", as: String.self).flatMap({
        Data(base64Encoded: $0, options: .ignoreUnknownCharacters)
      }), !bytes.contains(0)
    else {
      text = nil
      return
    }
    text = String(validating: bytes, as: UTF8.self)
  }
}

/// A comment on an issue, a pull request or a commit.
struct CommentRecord: Decodable, Hashable, Sendable {
  /// The author; nil if the account was deleted.
  let author: GitHubAccount?
  /// Untrusted Markdown.
  let body: String?
  let createdAt: Timestamp?
  /// The comment's place on GitHub.
  let address: String?

  init(from decoder: any Decoder) throws {
    let object = try LenientObject(decoder)
    author = object.value("user", as: AccountRecord.self)?.account
    body = object.text("body")
    createdAt = object.time("created_at")
    address = object.text("html_url")
  }
}
