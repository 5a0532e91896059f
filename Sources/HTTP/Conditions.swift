/// Conditional requests (RFC 9110 section 13).
package enum Conditions {
  /// The result of evaluating a request's conditions.
  package enum Outcome: Hashable, Sendable {
    /// Carry out the method.
    case proceed
    /// Respond with 304 and the fields of the 200 that caches need, without a body.
    case notModified
    /// Respond with 412 and change nothing.
    case preconditionFailed
  }

  /// Evaluates the conditions in the order of section 13.2.2. `etag` and `lastModified` describe the current state; for
  /// a missing resource both are nil and `exists` is false. Call it when the request would succeed without conditions
  /// (section 13.2.1). ``ByteRanges`` evaluates If-Range.
  ///
  /// - Parameter now: the current time, for dates with two-digit years.
  package static func evaluate(
    _ head: RequestHead, etag: ETag?, lastModified: HTTPDate? = nil, exists: Bool = true, now: HTTPDate? = nil
  ) -> Outcome {
    // Section 13.2.1: methods that neither select nor change a representation have no conditions.
    if head.method == .options || head.method == .trace { return .proceed }
    // Steps 1 and 2.
    if let holds = matches(head.all(.ifMatch), etag, exists: exists, by: ETag.matchesStrongly) {
      if !holds { return .preconditionFailed }
    } else if let limit = date(of: .ifUnmodifiedSince, in: head, now: now), let lastModified, lastModified > limit {
      return .preconditionFailed
    }
    // Steps 3 and 4: the second only without the first (section 13.1.3), and only for GET and HEAD.
    let isRead = head.method == .get || head.method == .head
    if let holds = matches(head.all(.ifNoneMatch), etag, exists: exists, by: ETag.matchesWeakly) {
      if holds { return isRead ? .notModified : .preconditionFailed }
    } else if isRead, let since = date(of: .ifModifiedSince, in: head, now: now), let lastModified,
      lastModified <= since
    {
      return .notModified
    }
    return .proceed
  }

  /// The date in a field; several dates and invalid ones are ignored (sections 13.1.3 and 13.1.4).
  private static func date(of name: FieldName, in head: RequestHead, now: HTTPDate?) -> HTTPDate? {
    let values = head.all(name)
    return values.count == 1 ? HTTPDate(values[0], now: now) : nil
  }

  /// Whether the list matches the current tag; nil without the field. A malformed list matches nothing.
  private static func matches(
    _ values: [String], _ etag: ETag?, exists: Bool, by comparison: (ETag) -> (ETag) -> Bool
  ) -> Bool? {
    guard !values.isEmpty else { return nil }
    if values == ["*"] { return exists }
    guard let etag, let tags = ETag.list(values.joined(separator: ",")) else { return false }
    return tags.contains { comparison($0)(etag) }
  }
}
