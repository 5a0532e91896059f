import Chat
import Outbound

/// A page of a list, reduced to the one number that GitHub's `next` link contains, so that it can pass through a
/// browser and be validated when it returns. Passing the link itself would let the browser choose what is requested
/// with the server's credential.
enum PageCursor: Hashable, Sendable {
  /// The first page.
  case first
  /// Users with ids greater than this one.
  case since(Int64)
  /// A page by its number, 2 or greater.
  case page(Int)

  /// The highest page number that is read.
  static let lastPage = 100_000

  /// Parses a cursor for `list`; nil if it is invalid.
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

  /// The cursor's text form, as stored and returned by the API.
  var text: String {
    switch self {
    case .first: ""
    case .since(let id): String(id)
    case .page(let number): String(number)
    }
  }

  /// The query item that selects the page; nil for the first.
  var queryItem: String? {
    switch self {
    case .first: nil
    case .since(let id): "since=\(id)"
    case .page(let number): "page=\(number)"
    }
  }

  /// The cursor in GitHub's `next` link; nil if there is none, or if it would not advance.
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
