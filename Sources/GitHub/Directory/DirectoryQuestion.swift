import Chat

/// A list and a page of it, checked before anything is asked or looked up.
struct DirectoryQuestion: Hashable, Sendable {
  /// The list; its login in lower case, since GitHub's are the same in any case.
  let list: DirectoryList
  /// The page.
  let cursor: PageCursor

  /// The question, or the failure that tells what is wrong with it.
  init(_ list: DirectoryList, cursor: String) throws(DirectoryFailure) {
    self.list =
      switch list {
      case .users: .users
      case .followers(let login): .followers(of: try Self.login(login))
      case .following(let login): .following(of: try Self.login(login))
      case .members(let login): .members(of: try Self.login(login))
      case .search(let text): .search(try Self.searchText(text))
      }
    guard let cursor = PageCursor(cursor, for: list) else {
      throw DirectoryFailure(kind: .refused, message: "there is no such page")
    }
    self.cursor = cursor
  }

  private init(_ list: DirectoryList, cursor: PageCursor) {
    self.list = list
    self.cursor = cursor
  }

  /// Whose list it is, in lower case; nil for a list that is nobody's.
  var login: String? {
    switch list {
    case .followers(let login), .following(let login), .members(let login): login
    case .users, .search: nil
    }
  }

  /// The same page of the same kind of list, of another login.
  func named(_ login: String) -> DirectoryQuestion { DirectoryQuestion(list.named(login.lowercased()), cursor: cursor) }

  var isSearch: Bool {
    if case .search = list { true } else { false }
  }

  /// A login in lower case; what cannot be one is not found, without asking. Bots end in `[bot]`.
  static func login(_ text: String) throws(DirectoryFailure) -> String {
    let isLogin = text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "["),
        UInt8(ascii: "]"):
        true
      default: false
      }
    }
    guard isLogin, (1...100).contains(text.utf8.count) else {
      throw DirectoryFailure(kind: .notFound, message: "this cannot be a login")
    }
    return text.lowercased()
  }

  private static func searchText(_ text: String) throws(DirectoryFailure) -> String {
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !words.isEmpty, words.count <= 256 else {
      throw DirectoryFailure(kind: .refused, message: "a search needs 1 to 256 characters")
    }
    // GitHub looks for words in any case.
    return words.lowercased()
  }
}

extension DirectoryList {
  /// The same kind of list, of another login.
  func named(_ login: String) -> DirectoryList {
    switch self {
    case .followers: .followers(of: login)
    case .following: .following(of: login)
    case .members: .members(of: login)
    case .users, .search: self
    }
  }
}
