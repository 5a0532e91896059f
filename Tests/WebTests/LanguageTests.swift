import Chat
import Crypto
import Foundation
import HTTP
import HTTPServer
import HTTPServerTesting
import TestSupport
import Testing

@testable import Web

@Suite("Languages")
struct LanguageTests {
  private func page(
    _ hub: TestHub, _ path: String, asks: String? = nil, of person: Person? = nil
  ) async throws -> (html: String, fields: Fields) {
    var fields: Fields = [:]
    if let person { fields.set(.cookie, person.cookie) }
    if let asks { fields.set("accept-language", asks) }
    let answer = try await hub.memory.send(.get, path, fields: fields)
    return (answer.text, answer.fields)
  }

  @Test("Signed-out pages are in the browser's language, and vary by it for caches", .shows("H4"))
  func signedOut() async throws {
    try await TestHub.with { hub in
      for (asks, language, title) in [
        ("de-DE,de;q=0.9,en;q=0.8", "de", "Anmelden"), ("en-GB,de;q=0.5", "en", "Sign in"), ("fr", "en", "Sign in"),
      ] {
        let page = try await page(hub, "/sign-in", asks: asks)
        #expect(page.html.contains("<html lang=\"\(language)\" dir=\"ltr\">"))
        #expect(page.html.contains("<title>\(title) · Hubbub</title>"))
        #expect(page.fields["content-language"] == language)
        #expect(page.fields.all(.vary).joined(separator: ",").contains("Accept-Language"))
      }
      let (german, english) = (
        try await page(hub, "/sign-in", asks: "de"), try await page(hub, "/sign-in", asks: "en")
      )
      #expect(german.fields[.etag] != english.fields[.etag])
      #expect(german.html.contains("Hubbub braucht JavaScript.") && !german.html.contains("needs JavaScript"))
      #expect(german.html.contains("data-languages=\"en=English,de=Deutsch\""))
    }
  }

  @Test(
    "A chosen language takes precedence over the browser's on every device, until it is reset",
    .shows("H4"))
  func chosen() async throws {
    try await TestHub.with { hub in
      let ada = try await hub.signUp("Ada")
      func language(asks: String) async throws -> String? {
        try await page(hub, "/chats", asks: asks, of: ada).fields["content-language"]
      }
      #expect(try await language(asks: "de") == "de")
      let before = try await hub.store.lastEventID()
      let changed = try await ada.send(.patch, "/me", #"{"settings":{"language":"de"}}"#).json()
      #expect(changed["settings"]?["language"]?.text == "de")
      #expect(try await ada.get("/session").json()["settings"]?["language"]?.text == "de")
      #expect(try await language(asks: "en") == "de")
      let told = try await ada.get("/sync?after=\(before)").json()["events"]?.array.map { $0["event"]?.text }
      #expect(told == ["me.updated"])
      let bob = try await hub.signUp("Bob")
      #expect(try await page(hub, "/chats", asks: "en", of: bob).fields["content-language"] == "en")
      #expect(try await bob.get("/users/\(ada.id)").json()["settings"] == nil)
      // Omitted settings stay.
      _ = try await ada.send(.patch, "/me", #"{"settings":{"last_seen":true}}"#)
      #expect(try await language(asks: "en") == "de")
      let back = try await ada.send(.patch, "/me", #"{"settings":{"language":"system"}}"#).json()
      #expect(back["settings"]?["language"] == nil)
      #expect(try await language(asks: "en") == "en")
      for wrong in ["\"tlh\"", "\"\"", "7"] {
        let answer = try await ada.send(.patch, "/me", "{\"settings\":{\"language\":\(wrong)}}")
        let errors = try answer.expectProblem(.unprocessableContent, "invalid")
        #expect(errors.keys.sorted() == ["settings.language"])
      }
    }
  }

  @Test(
    "A German page maps each import of texts to its translation, and has no other inline script",
    .shows("H4"))
  func importMap() async throws {
    try await TestHub.with { hub in
      let ada = try await hub.signUp("Ada")
      for path in ["/chats", "/chats/x", "/sign-in"] {
        let person = path == "/sign-in" ? nil : ada
        let english = try await page(hub, path, asks: "en", of: person)
        #expect(
          !english.html.contains("importmap") && english.fields["content-security-policy"]?.contains("sha256") == false)
        let german = try await page(hub, path, asks: "de", of: person)
        let map = try #require(
          german.html.components(separatedBy: "<script type=\"importmap\">").last?.components(separatedBy: "</script>")
            .first)
        let hash = Data(SHA256.hash(data: Data(map.utf8))).base64EncodedString()
        #expect(german.fields["content-security-policy"]?.contains("script-src 'self' 'sha256-\(hash)';") == true)
        let imports = try #require(
          (try JSONSerialization.jsonObject(with: Data(map.utf8)) as? [String: [String: String]])?["imports"])
        #expect(imports.keys.contains { $0.hasSuffix("/js/models/texts.js") } && imports.count > 10)
        for (from, to) in imports {
          #expect(from.replacingOccurrences(of: "/js/models/", with: "/js/languages/de/") == to)
          for address in [from, to] { #expect(try await hub.memory.send(.get, address).status == .ok) }
        }
        func modules(_ html: String) -> [String] {
          html.components(separatedBy: "<link rel=\"modulepreload\" href=\"").dropFirst()
            .compactMap { $0.components(separatedBy: "\"").first }
        }
        #expect(modules(english.html).map { imports[$0] ?? $0 } == modules(german.html))
      }
    }
  }

  @Test("An error page is in the reader's language, whatever characters its texts contain", .shows("H4"))
  func errorPage() async throws {
    try await TestHub.with { hub in
      let german = try await page(hub, "/no/such/page", asks: "de")
      #expect(german.html.contains("<html lang=\"de\" dir=\"ltr\">") && german.html.contains("Hier ist nichts"))
      #expect(german.html.contains("Zu deinen Chats") && german.fields["content-language"] == "de")
      let english = try await page(hub, "/no/such/page")
      #expect(english.html.contains("There is nothing here") && english.html.contains("To your chats"))
      let api = try await hub.memory.send(.get, "/api/v1/nowhere", fields: ["accept-language": "de"])
      #expect(api.fields[.contentType] == "application/problem+json")
    }
  }

  @Test(
    "A language file without a text, and a folder without English, are reported by name", .shows("H4"))
  func broken() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hubbub-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let languages = folder.appendingPathComponent("languages")
    try FileManager.default.createDirectory(at: languages, withIntermediateDirectories: true)
    func failure() -> String? {
      do { _ = try Languages(folder: folder.path) } catch { return (error as? WebSetupError)?.description }
      return nil
    }
    #expect(failure()?.contains("en.json is missing") == true)
    let templates = URL(filePath: TestHub.root + "/Templates/languages")
    let english = try String(contentsOf: templates.appendingPathComponent("en.json"), encoding: .utf8)
    try english.write(to: languages.appendingPathComponent("en.json"), atomically: true, encoding: .utf8)
    #expect(failure() == nil)
    for (text, other) in [
      ("\"chats\":", "\"chat\":"), ("\"rate-limited\":", "\"limited\":"), ("\"ltr\"", "\"up\""),
      ("\"detail\":", "\"more\":"),
      ("{", "["), ("\"name\":", "\"no\":"),
    ] {
      let wrong = english.replacingOccurrences(of: text, with: other)
      try wrong.write(to: languages.appendingPathComponent("ar.json"), atomically: true, encoding: .utf8)
      #expect(failure()?.contains("ar.json") == true, "\(text)")
    }
    try english.replacingOccurrences(of: "\"ltr\"", with: "\"rtl\"")
      .write(to: languages.appendingPathComponent("ar.json"), atomically: true, encoding: .utf8)
    #expect(try Languages(folder: folder.path).all.map(\.direction) == ["ltr", "rtl"])
  }
}
