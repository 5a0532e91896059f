/// How the end of a request's body is found (RFC 9112 section 6.3).
public enum BodyFraming: Hashable, Sendable {
  /// No body: neither Content-Length nor Transfer-Encoding (rule 7).
  case none
  /// That many bytes, by Content-Length (rule 6).
  case length(Int)
  /// The chunked coding (rule 4).
  case chunked

  /// Whether the head alone tells that the body is larger than `limit` bytes: then 413 is due before it is read.
  public func exceeds(_ limit: Int) -> Bool {
    if case .length(let length) = self { return length > limit }
    return false
  }
}
