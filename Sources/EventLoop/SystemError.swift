import Glibc

/// A system call that failed for a reason outside of the program.
public struct SystemError: Error, Hashable, CustomStringConvertible {
  /// The value of `errno`.
  public let code: Int32
  /// The name of the call.
  public let call: String

  /// The failure `code` of `call`.
  public init(code: Int32, call: String) {
    self.code = code
    self.call = call
  }

  /// The call and the system's own words: `bind: Address already in use (98)`.
  public var description: String { "\(call): \(String(cString: strerror(code))) (\(code))" }

  /// The process or the system has no descriptors (or memory for them) left; later there may be some.
  public var isShortOfDescriptors: Bool {
    code == EMFILE || code == ENFILE || code == ENOBUFS || code == ENOMEM
  }

  /// The address is in use by another socket.
  public var isAddressInUse: Bool { code == EADDRINUSE }
}
