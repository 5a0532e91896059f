import Foundation

/// A folder for one test, removed with the last reference to it.
package final class TemporaryFolder: Sendable {
  package let path: String

  /// - Parameter isCreated: false leaves the creation to the code under test.
  package init(isCreated: Bool = true) throws {
    path = NSTemporaryDirectory() + "hubbub-test-\(UUID().uuidString)"
    guard isCreated else { return }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path for a test's database.
  package var database: String { path + "/hubbub.sqlite" }

  /// The names in the folder, sorted.
  package var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

  /// The bytes of a file; empty if there is none.
  package func contents(of name: String) -> [UInt8] {
    Array(FileManager.default.contents(atPath: file(name)) ?? Data())
  }

  /// The permission bits of a file, or of the folder itself for "".
  package func mode(of name: String) -> Int? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file(name))
    return (attributes?[.posixPermissions] as? NSNumber)?.intValue
  }

  /// Writes a file and creates the folders above it.
  package func write(_ name: String, _ bytes: [UInt8]) throws {
    let address = URL(filePath: file(name))
    try FileManager.default.createDirectory(at: address.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: address)
  }

  /// Writes a text file and creates the folders above it.
  package func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

  /// Sets a file's modification time, in seconds since 1970.
  package func touch(_ name: String, seconds: Int) throws {
    let date = Date(timeIntervalSince1970: TimeInterval(seconds))
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file(name))
  }

  private func file(_ name: String) -> String { path + "/" + name }
}
