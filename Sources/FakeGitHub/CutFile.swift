import Foundation
import HTTPServer

/// A file that is truncated after it was opened. The server announces the original length and finds only half of it
/// when sending; there is no other way to make it break off in the middle of a body.
enum CutFile {
  /// An open, unlinked file of `bytes` that has lost its second half. Throws the system's error.
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
