import Foundation
import HTTPServer

/// A file that has become shorter since it was opened: the server tells the length it had, and finds half of it when it
/// sends. There is no other way to make it break off in the middle of a body.
enum CutFile {
  /// An open file of `bytes` that has lost its second half; it has no name any more. Throws what the system says.
  static func open(_ bytes: [UInt8]) throws -> OpenFile {
    let address = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(bytes).write(to: address)
    defer { try? FileManager.default.removeItem(at: address) }
    let file = try OpenFile(path: address.path())
    let handle = try FileHandle(forWritingTo: address)
    try handle.truncate(atOffset: UInt64(bytes.count / 2))
    try handle.close()
    return file
  }
}
