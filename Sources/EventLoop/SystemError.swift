import Glibc

/// A failed system call.
package struct SystemError: Error, Hashable, CustomStringConvertible {
  /// The value of `errno`.
  package let code: Int32
  /// The name of the call.
  package let call: String

  package init(code: Int32, call: String) {
    self.code = code
    self.call = call
  }

  /// The call and the system's message: `bind: Address already in use (98)`.
  package var description: String { "\(call): \(String(cString: strerror(code))) (\(code))" }

  /// Whether descriptors, or memory for them, have run out for now.
  package var isShortOfDescriptors: Bool {
    code == EMFILE || code == ENFILE || code == ENOBUFS || code == ENOMEM
  }

  /// Whether the address is already in use.
  package var isAddressInUse: Bool { code == EADDRINUSE }
}
