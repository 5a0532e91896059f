import Chat
import FakeGitHub
import Foundation

@testable import GitHub

/// One recorded exchange: those that the stand-in carries, and the rest, which only these tests need.
struct RecordedExchange: Sendable {
  let name: String
  let method: String
  /// Path and query, as they were asked for.
  let path: String
  let status: Int
  /// Field values by lower-case names; where the source templated times, those are of the tests' clock.
  let fields: [String: String]
  let body: [UInt8]

  /// Every exchange of both indices, each once.
  static let all: [RecordedExchange] = {
    let ofStandIn = Recording.all.map {
      RecordedExchange(
        name: $0.name, method: $0.method, path: $0.path, status: $0.status, fields: $0.fields, body: $0.body)
    }
    let names = Set(ofStandIn.map(\.name))
    return (ofStandIn + own.filter { !names.contains($0.name) }).map { $0.withTimes() }
  }()

  /// The exchange of that name, or nil.
  static func named(_ name: String) -> RecordedExchange? { all.first { $0.name == name } }

  /// What the transport answers with.
  var response: TransportResponse { TransportResponse(status: status, fields: fields, body: body) }

  /// The path alone.
  var plainPath: String { String(path.prefix { $0 != "?" }) }

  /// The body as Foundation reads it, by other code than the client's.
  var json: Any? { try? JSONSerialization.jsonObject(with: Data(body), options: .fragmentsAllowed) }

  /// A file of the tests' own folder.
  static func file(_ name: String) -> [UInt8] {
    let folder = Bundle.module.bundleURL.appending(path: "Recordings")
    return (try? Data(contentsOf: folder.appending(path: name))).map { Array($0) } ?? []
  }

  private static let own: [RecordedExchange] = {
    let index = try? JSONSerialization.jsonObject(with: Data(file("index.json"))) as? [String: Any]
    return (index?["exchanges"] as? [[String: Any]] ?? []).compactMap { entry in
      guard let name = entry["name"] as? String, let method = entry["method"] as? String,
        let path = entry["path"] as? String, let status = entry["status"] as? Int
      else { return nil }
      return RecordedExchange(
        name: name, method: method, path: path, status: status,
        fields: entry["headers"] as? [String: String] ?? [:],
        body: (entry["file"] as? String).map { file($0) } ?? [])
    }
  }()

  /// The same with its source's templates filled in, such as `{{now offset='8 seconds' … format='unix'}}`.
  private func withTimes() -> RecordedExchange {
    let fields = fields.compactMapValues { value -> String? in
      guard value.contains("{{") else { return value }
      let offset = value.split(separator: "offset='").dropFirst().first?.split(separator: " ").first
      let number = (offset.flatMap { Int64($0) } ?? 0) * (value.contains("hours") ? 3600 : 1)
      if value.contains("format='unix'") { return String(Fault.epoch + number) }
      // Fourteen minutes past two and twenty seconds, give or take a few.
      return value.contains("format='EEE") ? "Mon, 21 Sep 2026 14:13:\(20 + number) GMT" : nil
    }
    return RecordedExchange(name: name, method: method, path: path, status: status, fields: fields, body: body)
  }
}
