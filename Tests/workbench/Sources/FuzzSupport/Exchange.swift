import HTTP

/// Everything that a connection would make of some bytes, in a form that can be compared: each request with all that
/// was found in it, and how it ended.
package struct Exchange: Hashable, Sendable {
  /// A request that was read whole.
  package struct Message: Hashable, Sendable {
    /// The method.
    package var method: String
    /// The target as it was sent.
    package var target: String
    /// `1.0` or `1.1`, as it is treated.
    package var version: String
    /// Field lines in order, names as sent.
    package var fields: [[String]]
    /// The body without its transfer coding.
    package var body: [UInt8]
    /// Whether the connection goes on behind it.
    package var keepAlive: Bool
    /// Where its last byte stands, counted from the first of all.
    package var end: Int
  }

  /// The requests in their order.
  package var messages: [Message] = []
  /// The status that an invalid request is refused with; nil when everything was valid as far as it came.
  package var refusal: Int?
  /// Why, in the parser's own words.
  package var reason: String?

  /// Reads `bytes` as they would come in the pieces that end at `cuts`, the last of which is their number.
  ///
  /// - Parameters:
  ///   - looksInside: whether all that is made of a head is looked at too. What compares equal needs that once.
  ///   - check: hears of what must never be; the text says what it was.
  package init(
    _ bytes: [UInt8], cuts: some Sequence<Int>, limits: Limits, looksInside: Bool = true,
    check: (Bool, @autoclosure () -> String) -> Void
  ) {
    var reader = Reader(limits: limits, looksInside: looksInside)
    for cut in cuts {
      reader.read(bytes, until: cut, into: &self, check: check)
      if reader.isOver { break }
    }
  }

  private mutating func refuse(_ error: ProtocolError) {
    refusal = error.status.code
    reason = error.detail
  }

  private struct Reader {
    let limits: Limits
    let looksInside: Bool
    var parser: RequestParser
    /// Where the request, or its body, begins that is being read.
    var start = 0
    var head: RequestHead?
    var decoder: BodyDecoder?
    var isOver = false

    init(limits: Limits, looksInside: Bool) {
      self.limits = limits
      self.looksInside = looksInside
      parser = RequestParser(limits: limits)
    }

    mutating func read(
      _ bytes: [UInt8], until end: Int, into exchange: inout Exchange,
      check: (Bool, @autoclosure () -> String) -> Void
    ) {
      while !isOver {
        if head == nil {
          switch parser.parse(bytes.span.extracting(start..<end)) {
          case .incomplete: return
          case .invalid(let error):
            exchange.refuse(error)
            isOver = true
            return
          case .parsed(let head, let consumed):
            check(consumed > 0 && start + consumed <= end, "consumed \(consumed) of \(end - start)")
            start += consumed
            self.head = head
            decoder = BodyDecoder(framing: head.framing, limit: limits.bodyBytes, limits: limits)
            if looksInside { Reader.check(head, limits, check) }
          }
        }
        guard let head, let progress = decoder?.feed(bytes.span.extracting(start..<end)) else { return }
        switch progress {
        case .needsMore:
          start = end
          check(decoder?.body.count ?? 0 <= limits.bodyBytes, "the body passes its limit")
          return
        case .invalid(let error):
          exchange.refuse(error)
          isOver = true
        case .complete(let consumed):
          check(consumed >= 0 && start + consumed <= end, "the body consumed \(consumed) of \(end - start)")
          start += consumed
          let body = decoder?.takeBody() ?? []
          check(body.count <= limits.bodyBytes, "the body passes its limit")
          exchange.messages.append(Message(head, body: body, end: start))
          self.head = nil
          if !head.keepAlive { isOver = true }
        }
      }
    }

    /// What holds of every head that was parsed, whatever came in.
    private static func check(
      _ head: RequestHead, _ limits: Limits, _ check: (Bool, @autoclosure () -> String) -> Void
    ) {
      let path = head.path
      check(path.hasPrefix("/"), "the path is \(path.debugDescription)")
      check(!path.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "a control character in the path")
      for segment in head.pathSegments {
        check(segment != "." && segment != "..", "a dot segment in \(path.debugDescription)")
      }
      check(head.fieldLines.count <= limits.fieldCount, "too many field lines")
      for (name, value) in head.fieldLines {
        check(HTTP.FieldName(name) != nil, "\(name.debugDescription) is no field name")
        check(!value.utf8.contains { $0 == 0 || $0 == 10 || $0 == 13 }, "a value of \(name) could end its line")
        check(value.utf8.first != 0x20 && value.utf8.last != 0x20, "white space around a value of \(name)")
      }
      check(head.version == .http10 || head.host?.isEmpty == false, "no host in HTTP/1.1")
      let codings = head.all("transfer-encoding")
      let lengths = head.all("content-length")
      check(codings.isEmpty || lengths.isEmpty, "two framings")
      check(lengths.count <= 1, "two lengths")
      check((head.framing == .chunked) == !codings.isEmpty, "the coding is not the framing")
      // What is made of fields only when somebody asks must not trap either.
      let now = HTTPDate(seconds: 1_700_000_000)
      _ = Conditions.evaluate(head, etag: ETag("v"), lastModified: now, now: now)
      if case .parts(let parts) = ByteRanges.select(head, count: 1000, etag: ETag("v"), lastModified: now, now: now) {
        check(!parts.isEmpty, "no parts")
        for part in parts { check(!part.isEmpty && part.lowerBound >= 0 && part.upperBound <= 1000, "part \(part)") }
      }
      let trusted = TrustedProxies("10.0.0.0/8") ?? TrustedProxies()
      _ = trusted.origin(of: head, peer: NetworkAddress(high: 0, low: 0xFFFF_0A00_0001))
      _ = AcceptEncoding(head).preferred
      _ = head.query.items.count
      _ = Cookies(head)["a"]
    }
  }
}

extension Exchange.Message {
  fileprivate init(_ head: RequestHead, body: [UInt8], end: Int) {
    method = head.method.name
    target = head.target
    version = head.version == .http10 ? "1.0" : "1.1"
    fields = head.fieldLines.map { [$0.name, $0.value] }
    self.body = body
    keepAlive = head.keepAlive
    self.end = end
  }
}
