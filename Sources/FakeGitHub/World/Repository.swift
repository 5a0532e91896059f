/// A repository on the stand-in's GitHub: recorded, or generated from its owner's id, the same in every run.
struct Repository: Sendable {
  /// GitHub's id.
  let id: Int64
  let owner: Person
  /// The name without the owner.
  let name: String
  /// A one-line description.
  let about: String
  /// The main language.
  let language: String
  /// Whether it is private; the stand-in shows private ones to nobody.
  let isPrivate: Bool
  /// The recorded record, if any.
  let recorded: JSONValue?

  /// `owner/name`.
  var fullName: String { owner.login + "/" + name }

  /// The default branch's name.
  var branch: String { recorded?["default_branch"]?.string ?? "main" }

  /// The repository in a full or partial record, or nil.
  init?(_ record: JSONValue) {
    guard let id = record["id"]?.integer, let owner = record["owner"].flatMap(Person.init),
      let name = record["name"]?.string
    else { return nil }
    self.id = id
    self.owner = owner
    self.name = name
    about = record["description"]?.string ?? ""
    language = record["language"]?.string ?? "Swift"
    isPrivate = record["private"] == .bool(true)
    recorded = record
  }

  /// A generated repository of this kind: the owner's own or a fork.
  init(of owner: Person, kind: Int) {
    id = Self.firstID + owner.id * Int64(Self.kinds.count) + Int64(kind)
    self.owner = owner
    (name, about) = Self.kinds[kind]
    language = Self.languages[kind % Self.languages.count]
    isPrivate = false
    recorded = nil
  }

  /// The owner and kind of a generated repository, by its id.
  static func origin(of id: Int64) -> (owner: Int64, kind: Int)? {
    guard id >= firstID else { return nil }
    let number = id - firstID
    return (number / Int64(kinds.count), Int(number % Int64(kinds.count)))
  }

  /// The kind with this name, ignoring case.
  static func kind(named name: String) -> Int? { kinds.firstIndex { $0.0 == name.lowercased() } }

  /// The kinds that an account starts itself: one to three.
  static func kinds(of owner: Person) -> [Int] {
    let hash = SeededHash.mix(UInt64(bitPattern: owner.id) &+ 7)
    return (0...Int(hash % 3)).map { Int((hash >> 8) % UInt64(kinds.count) + UInt64($0)) % kinds.count }
  }

  /// Greater than all recorded ids.
  private static let firstID: Int64 = 8_000_000_000

  private static let languages = ["Swift", "Ruby", "Go", "C", "Python", "Rust", "TypeScript", "Java"]

  private static let kinds = [
    ("dotfiles", "Configuration I would rather not type twice"), ("parser", "A small parser for small languages"),
    ("website", "My home page, hand-made"), ("toolbox", "Scripts that earned their keep"),
    ("http-kit", "HTTP for people who read RFCs"), ("notes", "Plain-text notes with links"),
    ("playground", "Experiments, most of them unfinished"), ("bindings", "Bindings for the library you know"),
    ("queue", "A job queue that survives restarts"), ("colours", "Colour spaces without surprises"),
    ("clock", "Clocks and calendars, tested to the second"), ("charts", "Charts as SVG, no scripts"),
    ("mailer", "Sends mail, politely"), ("editor", "A modal editor in a thousand lines"),
    ("radio", "Listens to shortwave, draws waterfalls"), ("garden", "Waters the tomatoes"),
  ]
}
