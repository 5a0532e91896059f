import HTTP

extension TransportResponse {
  /// The server's own time (`Date`, RFC 9110 section 6.6.1).
  package var date: HTTPDate? { fields["date"].flatMap { HTTPDate($0) } }

  /// The seconds that `Retry-After` asks to wait (RFC 9110 section 10.2.3), given as a number or as a date; nil when the
  /// field is missing or malformed.
  package func retryAfter(now: HTTPDate) -> Int64? {
    guard let text = fields["retry-after"] else { return nil }
    if let seconds = Int64(text), seconds >= 0 { return seconds }
    return HTTPDate(text).map { Int64(max(0, $0.seconds - now.seconds)) }
  }
}
