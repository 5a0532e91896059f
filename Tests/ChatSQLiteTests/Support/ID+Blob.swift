import Chat
import Foundation

extension ID {
  /// The sixteen bytes that stand in the database, for looking into it past the store.
  var blob: Data {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Data($0) }
  }
}
