/// The protocol versions spoken here (RFC 9110 section 2.5). A higher minor version of HTTP/1 is read as HTTP/1.1.
public enum Version: Hashable, Sendable {
  /// HTTP/1.0
  case http10
  /// HTTP/1.1
  case http11
}
