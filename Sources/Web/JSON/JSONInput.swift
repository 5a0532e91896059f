import Chat
import HTTP
import HTTPServer

/// The members of a request's JSON object, read by name. Wrong types are collected, so that `check` can tell all of them
/// at once; members that nobody asks for are ignored (`API.md`, Conventions).
struct JSONInput {
  private let members: [String: JSONValue]
  private(set) var errors: [FieldError] = []

  /// Reads the body of `request`; throws `.unsupportedMediaType` or `.malformedBody` (as `Problem`), and 422 for JSON
  /// that is not an object.
  init(_ request: Request) throws {
    try JSONInput.checkType(request.head)
    let value: JSONValue
    do {
      value = try JSONValue(request.body)
    } catch .malformed {
      throw Problem.malformedBody("The body is not JSON.")
    } catch .tooLarge {
      throw Problem.malformedBody("The JSON is nested too deeply or has too many members.")
    }
    guard case .object(let members) = value else {
      throw ChatError.invalid([FieldError(field: "", code: "wrong_type", detail: "The body must be a JSON object.")])
    }
    self.members = members
  }

  private init(members: [String: JSONValue]) {
    self.members = members
  }

  /// Throws `.unsupportedMediaType` unless the body is said to be JSON in UTF-8.
  static func checkType(_ head: RequestHead) throws(Problem) {
    guard let type = head[.contentType].flatMap({ MediaType($0) }), type.essence == "application/json",
      type.charset == nil || type.charset == "utf-8"
    else { throw .unsupportedMediaType }
  }

  /// The same where nothing is asked for: the body may be missing, but one that is there must be JSON, or a form of
  /// another site could send it (SECURITY 2).
  static func checkTypeIfAny(_ request: Request) throws(Problem) {
    if !request.body.isEmpty || request.head[.contentType] != nil { try checkType(request.head) }
  }

  /// Whether the member is there and not null.
  func has(_ name: String) -> Bool {
    switch members[name] {
    case nil, .null: false
    default: true
    }
  }

  /// A string; nil when it is missing or null.
  mutating func text(_ name: String) -> String? {
    switch members[name] {
    case nil, .null: return nil
    case .text(let text): return text
    default: return mismatch(name, "This must be a string.")
    }
  }

  /// A string that must be there; empty, and an error kept, when it is not.
  mutating func requiredText(_ name: String) -> String {
    if !has(name) { refuse(name, "required", "This is required.") }
    return text(name) ?? ""
  }

  /// A whole number; nil when it is missing or null.
  mutating func integer(_ name: String) -> Int? {
    switch members[name] {
    case nil, .null: return nil
    case .integer(let number): return number
    default: return mismatch(name, "This must be a whole number.")
    }
  }

  /// True or false; nil when it is missing or null.
  mutating func flag(_ name: String) -> Bool? {
    switch members[name] {
    case nil, .null: return nil
    case .flag(let flag): return flag
    default: return mismatch(name, "This must be true or false.")
    }
  }

  /// A UUID; nil when it is missing or null.
  mutating func id<Subject>(_ name: String, of subject: Subject.Type = Subject.self) -> ID<Subject>? {
    guard let text = text(name) else { return nil }
    if let id = ID<Subject>(text) { return id }
    refuse(name, "invalid", "This must be a UUID.")
    return nil
  }

  /// A list of strings; nil when it is missing or null.
  mutating func texts(_ name: String) -> [String]? {
    switch members[name] {
    case nil, .null: return nil
    case .array(let values):
      let texts = values.compactMap { if case .text(let text) = $0 { text } else { nil } }
      return texts.count == values.count ? texts : mismatch(name, "This must be a list of strings.")
    default: return mismatch(name, "This must be a list of strings.")
    }
  }

  /// Keeps an error of a field.
  mutating func refuse(_ field: String, _ code: String, _ detail: String) {
    errors.append(FieldError(field: field, code: code, detail: detail))
  }

  /// The members of an object; none when it is missing or null. What is wrong with them is kept by the object, until
  /// `takeErrors`.
  mutating func object(_ name: String) -> JSONInput {
    switch members[name] {
    case nil, .null: break
    case .object(let members): return JSONInput(members: members)
    default: refuse(name, "wrong_type", "This must be an object.")
    }
    return JSONInput(members: [:])
  }

  /// Keeps the errors of an object, whose fields are then `name.field`.
  mutating func takeErrors(of object: JSONInput, in name: String) {
    for error in object.errors { refuse(name + "." + error.field, error.code, error.detail) }
  }

  /// Throws what has been kept, and with it what `rules` find wrong with other fields, so that all is told at once.
  /// Where nothing has been kept, the rules are left to the service that is asked next.
  func check(with rules: () throws(ChatError) -> Void) throws(ChatError) {
    if errors.isEmpty { return }
    do throws(ChatError) {
      try rules()
    } catch .invalid(let others) {
      throw .invalid(errors + others.filter { other in !errors.contains { $0.field == other.field } })
    }
    throw .invalid(errors)
  }

  /// Throws what has been kept.
  func check() throws(ChatError) {
    if !errors.isEmpty { throw .invalid(errors) }
  }

  private mutating func mismatch<Value>(_ name: String, _ detail: String) -> Value? {
    refuse(name, "wrong_type", detail)
    return nil
  }
}
