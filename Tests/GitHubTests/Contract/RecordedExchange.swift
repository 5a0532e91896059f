import Chat
import FakeGitHub
import Foundation
import Outbound

@testable import GitHub

/// A recorded exchange in the form that tests need.
struct RecordedExchange: Sendable {
  let name: String
  let method: String
  /// The requested path and query.
  let path: String
  let status: Int
  /// Field values by lower-case names; times that are templates in the source follow the tests' clock.
  let fields: [String: String]
  let body: [UInt8]

  /// All recorded exchanges.
  static let all: [RecordedExchange] = Recording.all.map {
    RecordedExchange(
      name: $0.name, method: $0.method, path: $0.path, status: $0.status, fields: $0.fields, body: $0.body
    ).withTimes()
  }

  /// The exchange with this name, or nil.
  static func named(_ name: String) -> RecordedExchange? { all.first { $0.name == name } }

  /// The response that the transport returns.
  var response: TransportResponse { TransportResponse(status: status, fields: fields, body: body) }

  /// The path without the query.
  var plainPath: String { String(path.prefix { $0 != "?" }) }

  /// The body parsed by Foundation, independently of the client.
  var json: Any? { try? JSONSerialization.jsonObject(with: Data(body), options: .fragmentsAllowed) }

  /// An example from GitHub's documentation.
  static func example(_ name: String) -> [UInt8] {
    let folder = Bundle.module.bundleURL.appending(path: "Recordings")
    return (try? Data(contentsOf: folder.appending(path: name))).map { Array($0) } ?? []
  }

  /// The same with the source's templates filled in, such as `{{now offset='8 seconds' … format='unix'}}`.
  private func withTimes() -> RecordedExchange {
    let fields = fields.compactMapValues { value -> String? in
      guard value.contains("{{") else { return value }
      let offset = value.split(separator: "offset='").dropFirst().first?.split(separator: " ").first
      let number = (offset.flatMap { Int64($0) } ?? 0) * (value.contains("hours") ? 3600 : 1)
      if value.contains("format='unix'") { return String(Fault.epoch + number) }
      // About fourteen minutes and twenty seconds past two.
      return value.contains("format='EEE") ? "Mon, 21 Sep 2026 14:13:\(20 + number) GMT" : nil
    }
    return RecordedExchange(name: name, method: method, path: path, status: status, fields: fields, body: body)
  }
}
