import Chat
import HTTP
import HTTPServer

/// Validates the parts of GitHub paths before anything is requested; an impossible one is 404.
extension Visit {
  /// A login in the path: letters, digits and hyphens; those of managed users and bots have some more characters.
  func login() throws(ChatError) -> String {
    let login = request.parameters["login"] ?? ""
    let isPossible = login.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "["),
        UInt8(ascii: "]"):
        true
      default: false
      }
    }
    guard isPossible, (1...100).contains(login.utf8.count) else { throw .notFound }
    return login
  }

  /// The repository named by `owner` and `repo` in the path.
  func repository() throws(ChatError) -> RepositoryName {
    guard let name = RepositoryName(owner: request.parameters["owner"] ?? "", name: request.parameters["repo"] ?? "")
    else { throw .notFound }
    return name
  }

  /// An issue's or pull request's number.
  func issueNumber() throws(ChatError) -> Int {
    guard let number = request.parameters["number"].flatMap({ Int($0) }), (1...999_999_999).contains(number) else {
      throw .notFound
    }
    return number
  }

  /// A tag, limited to git's rules for references as far as they matter in a URL.
  func tag() throws(ChatError) -> String {
    let tag = request.parameters["tag"] ?? ""
    let isPossible = tag.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F && $0 != "\\" }
    let segments = tag.split(separator: "/", omittingEmptySubsequences: false)
    guard isPossible, (1...255).contains(tag.utf8.count), !segments.contains(where: { ["", ".", ".."].contains($0) })
    else { throw .notFound }
    return tag
  }

  /// A commit's hash, full or abbreviated.
  func sha() throws(ChatError) -> String {
    let sha = (request.parameters["sha"] ?? "").lowercased()
    let isPossible = sha.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    guard isPossible, (7...64).contains(sha.utf8.count) else { throw .notFound }
    return sha
  }
}
