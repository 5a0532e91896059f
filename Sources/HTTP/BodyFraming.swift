/// How the end of a request's body is found (RFC 9112 section 6.3).
package enum BodyFraming: Hashable, Sendable {
  /// No body: neither Content-Length nor Transfer-Encoding (rule 7).
  case none
  /// That many bytes, by Content-Length (rule 6).
  case length(Int)
  /// The chunked coding (rule 4).
  case chunked

  /// Whether Content-Length exceeds `limit`, so that 413 is due before the body is read.
  package func exceeds(_ limit: Int) -> Bool {
    if case .length(let length) = self { return length > limit }
    return false
  }
}
