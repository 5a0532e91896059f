/// Conditional requests (RFC 9110 section 13).
public enum Conditions {
  /// What the request's conditions mean for a resource in its present state.
  public enum Outcome: Hashable, Sendable {
    /// Do what the method says.
    case proceed
    /// Answer 304, with the fields that 200 would have carried for caches, without a body.
    case notModified
    /// Answer 412 and change nothing.
    case preconditionFailed
  }

  /// Evaluates the conditions in the order of section 13.2.2. `etag` and `lastModified` describe the present state; a
  /// resource that does not exist has neither, and `exists` is false. To be asked when the request would succeed
  /// without its conditions (section 13.2.1); If-Range is the ranges' (see ``ByteRanges``).
  ///
  /// - Parameter now: the present time, for dates with years of two digits.
  public static func evaluate(
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
    // Steps 3 and 4: the second only without the first (section 13.1.3), and for GET and HEAD only.
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

  /// The one date in a field; more than one, or what is none, is ignored (sections 13.1.3 and 13.1.4).
  private static func date(of name: FieldName, in head: RequestHead, now: HTTPDate?) -> HTTPDate? {
    let values = head.all(name)
    return values.count == 1 ? HTTPDate(values[0], now: now) : nil
  }

  /// Whether the present state is among those named; nil when there is no such field. A malformed list names none.
  private static func matches(
    _ values: [String], _ etag: ETag?, exists: Bool, by comparison: (ETag) -> (ETag) -> Bool
  ) -> Bool? {
    guard !values.isEmpty else { return nil }
    if values == ["*"] { return exists }
    guard let etag, let tags = ETag.list(values.joined(separator: ",")) else { return false }
    return tags.contains { comparison($0)(etag) }
  }
}
