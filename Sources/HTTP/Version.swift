/// The supported protocol versions (RFC 9110 section 2.5). A higher minor version of HTTP/1 is treated as HTTP/1.1.
package enum Version: Hashable, Sendable {
  case http10
  case http11
}
