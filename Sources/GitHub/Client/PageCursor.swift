import Chat
import Outbound

/// Which page of a list: what the address of GitHub's `next` says, cut down to the one number in it, so that it may
/// travel through a browser and be checked when it comes back. GitHub's own address may not: whoever could choose it
/// would choose what is asked with our credential.
enum PageCursor: Hashable, Sendable {
  /// The first page.
  case first
  /// Users with ids above this one.
  case since(Int64)
  /// A page by number, from 2.
  case page(Int)

  /// The most pages of a list that are read.
  static let lastPage = 100_000

  /// The cursor that `text` writes for `list`, or nil.
  init?(_ text: String, for list: DirectoryList) {
    if text.isEmpty {
      self = .first
      return
    }
    guard text.utf8.count <= 18, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), text.first != "0",
      let number = Int64(text)
    else { return nil }
    if list == .users {
      self = .since(number)
    } else {
      guard (2...Int64(Self.lastPage)).contains(number) else { return nil }
      self = .page(Int(number))
    }
  }

  /// The cursor as it is stored and shown.
  var text: String {
    switch self {
    case .first: ""
    case .since(let id): String(id)
    case .page(let number): String(number)
    }
  }

  /// The query item that asks GitHub for the page, nil for the first.
  var queryItem: String? {
    switch self {
    case .first: nil
    case .since(let id): "since=\(id)"
    case .page(let number): "page=\(number)"
    }
  }

  /// The cursor in GitHub's address of the next page; nil without one, and where it would not lead on.
  func next(from address: WebAddress?, in list: DirectoryList) -> PageCursor? {
    guard let value = address?.queryValue(list == .users ? "since" : "page"),
      let next = PageCursor(value, for: list)
    else { return nil }
    return next.position > position ? next : nil
  }

  private var position: Int64 {
    switch self {
    case .first: 0
    case .since(let id): id
    case .page(let number): Int64(number)
    }
  }
}
