import Chat
import Foundation

extension ID {
  /// The sixteen bytes as stored, for direct access to the database.
  var blob: Data {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Data($0) }
  }
}
