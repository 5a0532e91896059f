import Chat
import HTTP
import HTTPServer

/// Reads the members of a request's JSON object by name. Collects type errors, so that `check` reports all of them at
/// once; ignores unknown members (docs/api.md, Conventions).
struct JSONInput {
  private let members: [String: JSONValue]
  private(set) var errors: [FieldError] = []

  /// Reads the body of `request`. Throws `.unsupportedMediaType` or `.malformedBody` (as `Problem`), and 422 for JSON
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

  /// Throws `.unsupportedMediaType` unless the content type is JSON in UTF-8.
  static func checkType(_ head: RequestHead) throws(Problem) {
    guard let type = head[.contentType].flatMap({ MediaType($0) }), type.essence == "application/json",
      type.charset == nil || type.charset == "utf-8"
    else { throw .unsupportedMediaType }
  }

  /// The same for requests without a required body: it may be missing, but if present it must be JSON; otherwise a form
  /// on another site could send it.
  static func checkTypeIfAny(_ request: Request) throws(Problem) {
    if !request.body.isEmpty || request.head[.contentType] != nil { try checkType(request.head) }
  }

  /// Whether the member is present and not null.
  func has(_ name: String) -> Bool {
    switch members[name] {
    case nil, .null: false
    default: true
    }
  }

  /// Whether the member is present and null.
  func isNull(_ name: String) -> Bool {
    if case .null = members[name] { true } else { false }
  }

  /// A string; nil if missing or null.
  mutating func text(_ name: String) -> String? {
    switch members[name] {
    case nil, .null: return nil
    case .text(let text): return text
    default: return mismatch(name, "This must be a string.")
    }
  }

  /// A required string; if it is missing, records an error and returns "".
  mutating func requiredText(_ name: String) -> String {
    if !has(name) { refuse(name, "required", "This is required.") }
    return text(name) ?? ""
  }

  /// An integer; nil if missing or null.
  mutating func integer(_ name: String) -> Int? {
    switch members[name] {
    case nil, .null: return nil
    case .integer(let number): return number
    default: return mismatch(name, "This must be a whole number.")
    }
  }

  /// A Boolean; nil if missing or null.
  mutating func flag(_ name: String) -> Bool? {
    switch members[name] {
    case nil, .null: return nil
    case .flag(let flag): return flag
    default: return mismatch(name, "This must be true or false.")
    }
  }

  /// A UUID; nil if missing or null.
  mutating func id<Subject>(_ name: String, of subject: Subject.Type = Subject.self) -> ID<Subject>? {
    guard let text = text(name) else { return nil }
    if let id = ID<Subject>(text) { return id }
    refuse(name, "invalid", "This must be a UUID.")
    return nil
  }

  /// A list of strings; nil if missing or null.
  mutating func texts(_ name: String) -> [String]? {
    switch members[name] {
    case nil, .null: return nil
    case .array(let values):
      let texts = values.compactMap { if case .text(let text) = $0 { text } else { nil } }
      return texts.count == values.count ? texts : mismatch(name, "This must be a list of strings.")
    default: return mismatch(name, "This must be a list of strings.")
    }
  }

  /// Records a field's error.
  mutating func refuse(_ field: String, _ code: String, _ detail: String) {
    errors.append(FieldError(field: field, code: code, detail: detail))
  }

  /// A nested object; empty if missing or null. It records its own errors, which `takeErrors` adds to this one's.
  mutating func object(_ name: String) -> JSONInput {
    switch members[name] {
    case nil, .null: break
    case .object(let members): return JSONInput(members: members)
    default: refuse(name, "wrong_type", "This must be an object.")
    }
    return JSONInput(members: [:])
  }

  /// Adds the errors of a nested object, with fields named `name.field`.
  mutating func takeErrors(of object: JSONInput, in name: String) {
    for error in object.errors { refuse(name + "." + error.field, error.code, error.detail) }
  }

  /// Throws the recorded errors together with those that `rules` find in other fields, so that all are reported at
  /// once. Without recorded errors, the rules are left to the service that is called next.
  func check(with rules: () throws(ChatError) -> Void) throws(ChatError) {
    if errors.isEmpty { return }
    do throws(ChatError) {
      try rules()
    } catch .invalid(let others) {
      throw .invalid(errors + others.filter { other in !errors.contains { $0.field == other.field } })
    }
    throw .invalid(errors)
  }

  /// Throws the recorded errors, if any.
  func check() throws(ChatError) {
    if !errors.isEmpty { throw .invalid(errors) }
  }

  private mutating func mismatch<Value>(_ name: String, _ detail: String) -> Value? {
    refuse(name, "wrong_type", detail)
    return nil
  }
}
