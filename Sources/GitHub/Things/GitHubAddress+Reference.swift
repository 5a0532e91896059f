import Base
import Chat
import Outbound

/// Reads references as people write them (docs/api.md, `GET /github/cards`). Pure.
extension GitHubAddress {
  /// The thing that `reference` names: `owner/repo#12`, `owner/repo@sha`, `owner/repo`, `@login`, or the address of a
  /// page below one of `sites` (base URLs of GitHub's website). Nil for anything else.
  ///
  /// A number is that of an issue even where the page is a pull request's: GitHub numbers both together and returns a
  /// pull request as an issue, so that both ways to write it share one stored copy.
  init?(reference: String, sites: [String]) {
    guard reference.utf8.count <= 2048 else { return nil }
    if reference.contains("://") {
      self.init(page: reference, sites: sites)
    } else if reference.first == "@" {
      guard let login = Self.login(reference.dropFirst()) else { return nil }
      self = .person(login: login)
    } else if let mark = reference.firstIndex(where: { $0 == "#" || $0 == "@" }) {
      let rest = reference[reference.index(after: mark)...]
      guard let repository = Self.repository(reference[..<mark]) else { return nil }
      self.init(repository, reference[mark] == "#" ? "issues" : "commit", rest)
    } else {
      guard let repository = Self.repository(reference) else { return nil }
      self = .repository(repository)
    }
  }

  /// Lines of a file are named only as of a commit, whose full id is in the address: a branch moves on, and the lines
  /// with it.
  private init?(page: String, sites: [String]) {
    guard let address = WebAddress(page),
      let site = sites.lazy.compactMap({ WebAddress($0) }).first(where: address.lies(within:))
    else { return nil }
    let path = address.path.dropFirst(site.path.utf8.count).split(separator: "/").map(String.init)
    switch path.count {
    case 1:
      guard let login = Self.login(path[0]), !Self.isReserved(login) else { return nil }
      self = .person(login: login)
    case 2:
      guard let repository = Self.repository(path[0] + "/" + path[1]) else { return nil }
      self = .repository(repository)
    case 3...:
      guard let repository = Self.repository(path[0] + "/" + path[1]) else { return nil }
      if path[2] == "releases", path.count > 4, path[3] == "tag" {
        guard let tag = PercentEncoding.decode(path[4...].joined(separator: "/")), Self.isTag(tag) else { return nil }
        self = .release(repository, tag: tag)
      } else if path[2] == "pull", path.count == 6, path[4] == "commits" {
        self.init(repository, "commit", path[5])
      } else if path[2] == "blob", path.count > 4 {
        let fragment = page.split(separator: "#", maxSplits: 1).dropFirst().first
        guard let lines = FileLines(commit: path[3], path: path[4...], fragment: fragment ?? "") else { return nil }
        self = .lines(repository, lines)
      } else {
        self.init(repository, path[2], path[3, default: ""])
      }
    default: return nil
    }
  }

  private init?(_ repository: RepositoryName, _ folder: String, _ name: some StringProtocol) {
    switch folder {
    case "issues", "pull":
      guard name.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(name),
        (1...999_999_999).contains(number)
      else { return nil }
      self = .issue(repository, number: number)
    case "commit":
      guard (7...40).contains(name.utf8.count), name.utf8.allSatisfy({ $0.hexadecimalValue != nil }) else { return nil }
      self = .commit(repository, sha: name.lowercased())
    default: return nil
    }
  }

  private static func repository(_ text: some StringProtocol) -> RepositoryName? {
    RepositoryName(text).flatMap { isReserved($0.owner) ? nil : $0 }
  }

  /// Letters, digits and hyphens; managed users have `_`.
  private static func login(_ text: some StringProtocol) -> String? {
    let isPossible = text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
      default: false
      }
    }
    return isPossible && (1...100).contains(text.utf8.count) ? String(text) : nil
  }

  private static func isTag(_ tag: String) -> Bool {
    tag.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F && $0 != "\\" }
      && (1...255).contains(tag.utf8.count)
      && !tag.split(separator: "/", omittingEmptySubsequences: false).contains { ["", ".", ".."].contains($0) }
  }

  /// Whether GitHub's website has pages of its own below this name, so that nobody is called it.
  private static func isReserved(_ owner: String) -> Bool { reserved.contains(owner.lowercased()) }

  private static let reserved: Set<String> = [
    "about", "apps", "codespaces", "collections", "contact", "customer-stories", "dashboard", "enterprise", "events",
    "explore", "features", "issues", "join", "login", "logout", "marketplace", "new", "notifications", "organizations",
    "orgs", "pricing", "pulls", "search", "security", "sessions", "settings", "site", "sponsors", "stars", "team",
    "topics", "trending", "users",
  ]
}

extension FileLines {
  /// Lines as in `/blob/COMMIT/PATH#L3-L7`; `path` is percent-encoded. Columns are left out (GitHub's "Creating a
  /// permanent link to a code snippet").
  fileprivate init?(commit: String, path: some Collection<String>, fragment: Substring) {
    let names = path.compactMap { PercentEncoding.decode($0) }
    let isSafe = !names.contains { $0.isEmpty || $0 == "." || $0 == ".." || $0.contains("/") || $0.contains("\0") }
    let ends = fragment.split(separator: "-", omittingEmptySubsequences: false).map(Self.line)
    guard commit.utf8.count == 40, commit.utf8.allSatisfy({ $0.hexadecimalValue != nil }), isSafe,
      names.count == path.count, (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1],
      first <= last
    else { return nil }
    self.init(commit: commit.lowercased(), path: names.joined(separator: "/"), range: first...last)
  }

  /// `L12` or `L12C4`.
  private static func line(_ text: Substring) -> Int? {
    guard text.first == "L" else { return nil }
    let parts = text.dropFirst().split(separator: "C", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = parts.map { part in
      part.utf8.count <= 7 && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
    }
    return numbers.contains { $0 == nil } ? nil : numbers[0].flatMap { $0 > 0 ? $0 : nil }
  }
}

extension Array {
  fileprivate subscript(index: Int, default fallback: Element) -> Element { index < count ? self[index] : fallback }
}
