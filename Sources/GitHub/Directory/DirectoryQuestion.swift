import Chat

/// A list and a page of it, validated before anything is looked up or requested.
struct DirectoryQuestion: Hashable, Sendable {
  /// The list. Its login is in lower case, because GitHub's logins are case-insensitive.
  let list: DirectoryList
  let cursor: PageCursor

  /// Validates `list` and `cursor`; throws the failure that says what is wrong.
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

  /// The login that the list belongs to, in lower case; nil for a list that belongs to no account.
  var login: String? {
    switch list {
    case .followers(let login), .following(let login), .members(let login): login
    case .users, .search: nil
    }
  }

  /// The same page of the same kind of list for another login.
  func named(_ login: String) -> DirectoryQuestion { DirectoryQuestion(list.named(login.lowercased()), cursor: cursor) }

  var isSearch: Bool {
    if case .search = list { true } else { false }
  }

  /// A login in lower case. Throws `.notFound` without a request if it cannot be a login. A bot's login ends in
  /// `[bot]`.
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
      throw DirectoryFailure(kind: .notFound, message: "this is not a valid login")
    }
    return text.lowercased()
  }

  private static func searchText(_ text: String) throws(DirectoryFailure) -> String {
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !words.isEmpty, words.count <= 256 else {
      throw DirectoryFailure(kind: .refused, message: "a search needs 1 to 256 characters")
    }
    // GitHub's search ignores case.
    return words.lowercased()
  }
}

extension DirectoryList {
  /// The same kind of list for another login.
  func named(_ login: String) -> DirectoryList {
    switch self {
    case .followers: .followers(of: login)
    case .following: .following(of: login)
    case .members: .members(of: login)
    case .users, .search: self
    }
  }
}
