/// The size of one page of a response.
package enum PageRules {
  /// The approximate maximum size of a page's entries in bytes: the page ends before the entry that would exceed it,
  /// and `Link` leads on. A larger entry is a page of its own.
  package static let bytes = 256 << 10
  /// The approximate size of a message without its text, in bytes.
  package static let bytesAroundText = 768
}
