import Chat

/// Times as servers tell them.
public enum ServerTime {
  /// An IMF-fixdate (RFC 9110 section 5.6.7), `Mon, 07 Oct 2019 19:26:35 GMT`, or nil.
  public static func parse(_ text: String) -> Timestamp? {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2])) else { return nil }
    let number = month + 1 < 10 ? "0\(month + 1)" : "\(month + 1)"
    return Timestamp("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
  }

  /// `Retry-After` (RFC 9110 section 10.2.3) in seconds from `now`: a number, or a date. Nil where it is neither.
  public static func retryAfter(_ text: String, now: Timestamp) -> Int64? {
    if let seconds = Int64(text), seconds >= 0 { return seconds }
    return parse(text).map { max(0, ($0.milliseconds - now.milliseconds + 999) / 1000) }
  }
}
