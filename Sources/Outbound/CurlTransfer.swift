import CCurl
import EventLoop
import Glibc
import HTTP

/// One request as a libcurl easy handle, and what has arrived for it.
final class CurlTransfer: @unchecked Sendable {  // mutable fields belong to the loop's thread
  typealias Completion = (Result<TransportResponse, TransportFailure>) -> Void

  /// The maximum size of a response's head, in bytes.
  private static let headLimit = 64 * 1024
  /// With a proxy in the environment, libcurl uses it, and the addresses seen here are the proxy's.
  private static let usesProxy = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    .contains { (name: String) in getenv(name) != nil }

  /// Set before the transfer starts, or while it runs.
  var isCancelled = false
  /// The handle; nil before the start and after the end.
  private(set) var easy: UnsafeMutableRawPointer?

  private let request: TransportRequest
  private let certificates: String?
  private var done: Completion?
  private var lines: UnsafeMutablePointer<curl_slist>?
  private let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  private var fields: [String: String] = [:]
  private var headLength = 0
  private var body: [UInt8] = []
  /// Why a callback has stopped the transfer.
  private var failure: TransportFailure?

  init(_ request: TransportRequest, certificates: String?) {
    self.request = request
    self.certificates = certificates
    message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    message.deallocate()
  }

  // MARK: The request

  /// Makes the handle; nil when the request cannot be written as HTTP. `done` is called by `finish`.
  func prepare(_ done: @escaping Completion) -> UnsafeMutableRawPointer? {
    guard request.fields.allSatisfy({ Self.isPlain($0.key) && Self.isPlain($0.value) }),
      let easy = curl_easy_init()
    else { return nil }
    self.easy = easy
    self.done = done
    setAddress(of: easy)
    setContent(of: easy)
    setCallbacks(of: easy)
    return easy
  }

  private func setAddress(of easy: UnsafeMutableRawPointer) {
    let isSecure = request.address.scheme == "https"
    ccurl_set_string(easy, CURLOPT_URL, request.address.text)
    ccurl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
    // The path that was checked is the path that is sent.
    ccurl_set_long(easy, CURLOPT_PATH_AS_IS, 1)
    ccurl_set_long(easy, CURLOPT_HTTP_VERSION, isSecure ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
    // Requests at the same moment wait for the first one's handshake, to share its connection if it speaks HTTP/2.
    ccurl_set_long(easy, CURLOPT_PIPEWAIT, isSecure ? 1 : 0)
    ccurl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 1)
    ccurl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 2)
    if let certificates { ccurl_set_string(easy, CURLOPT_CAINFO, certificates) }
    let (seconds, attoseconds) = request.timeout.components
    ccurl_set_long(easy, CURLOPT_TIMEOUT_MS, max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)))
    ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1)
    // Without it, ending a transfer blocks the loop until the system's resolver has answered.
    ccurl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
  }

  private func setContent(of easy: UnsafeMutableRawPointer) {
    // Every coding that libcurl was built with.
    ccurl_set_string(easy, CURLOPT_ACCEPT_ENCODING, "")
    // A server that ignores "Expect: 100-continue" would cost a second.
    lines = curl_slist_append(nil, "Expect:")
    for (name, value) in request.fields {
      // With a semicolon the field has an empty value; with a colon libcurl would omit it.
      lines = curl_slist_append(lines, value.isEmpty ? name + ";" : name + ": " + value)
    }
    ccurl_set_pointer(easy, CURLOPT_HTTPHEADER, lines)
    if request.method == .post {
      ccurl_set_long(easy, CURLOPT_POSTFIELDSIZE, request.body.count)
      request.body.withUnsafeBytes { _ = ccurl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) }
      ccurl_set_long(easy, CURLOPT_POST, 1)
    }
  }

  /// No line breaks and no other control characters: libcurl sends what it is given.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }
  }

  // MARK: Callbacks

  private func setCallbacks(of easy: UnsafeMutableRawPointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, message)
    ccurl_on_head(
      easy,
      { bytes, _, count, context in
        CurlTransfer.from(context).take(headLine: UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
      }, context)
    ccurl_on_body(
      easy,
      { bytes, _, count, context in
        CurlTransfer.from(context).take(body: UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
      }, context)
    if request.reach == .anyAddress || Self.usesProxy { return }
    ccurl_on_connect(
      easy,
      { context, _, address in
        guard let address, CurlTransfer.from(context).mayConnect(to: address) else { return CURL_SOCKET_BAD }
        let target = address.pointee
        return socket(target.family, target.socktype | Int32(SOCK_CLOEXEC.rawValue), target.protocol)
      }, context)
    // A kept-alive connection may have been opened for another request, perhaps one that may reach any address.
    ccurl_on_request(
      easy,
      { context, address, _, _, _ in
        guard let address = address.map({ String(cString: $0) }).flatMap({ NetworkAddress($0) }),
          CurlTransfer.from(context).mayUse(address)
        else { return CURL_PREREQFUNC_ABORT }
        return CURL_PREREQFUNC_OK
      }, context)
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> CurlTransfer {
    guard let context else { preconditionFailure("libcurl lost its context") }
    return Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  }

  /// Called with the very address that libcurl connects to if this returns true; the resolver cannot supply a different
  /// one in between.
  private func mayConnect(to target: UnsafeMutablePointer<curl_sockaddr>) -> Bool {
    // The address is longer than the type of its field.
    guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return false }
    let start = UnsafeRawPointer(target) + offset
    let bits = SocketAddress(copying: start, length: Int(target.pointee.addrlen)).bits
    return mayUse(NetworkAddress(high: bits.high, low: bits.low))
  }

  private func mayUse(_ address: NetworkAddress) -> Bool {
    let isAllowed = PublicAddresses.contains(address)
    // The host may have a public address as well, which libcurl tries next.
    if !isAllowed { failure = .unreachable("\(request.address.host) has the address \(address), which is not public") }
    return isAllowed
  }

  private func take(headLine line: UnsafeRawBufferPointer) -> Bool {
    headLength += line.count
    guard headLength <= Self.headLimit else {
      failure = .oversized
      return false
    }
    let text = String(decoding: line, as: UTF8.self)
    // A new status line: an interim response (103) precedes the final one.
    if text.hasPrefix("HTTP/") { fields = [:] }
    // Fields after the body are trailers.
    guard body.isEmpty, let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return true }
    let name = text[..<colon].lowercased()
    let value = text[text.utf8.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
    let end = value.lastIndex { !$0.isWhitespace }.map { value.index(after: $0) } ?? value.startIndex
    fields[name] = (fields[name].map { $0 + ", " } ?? "") + value[..<end]
    return true
  }

  private func take(body bytes: UnsafeRawBufferPointer) -> Bool {
    guard body.count + bytes.count <= request.bodyLimit else {
      failure = .oversized
      return false
    }
    body.append(contentsOf: bytes)
    return true
  }

  // MARK: The end

  /// The transfer's result after libcurl has ended it with `code`.
  func result(_ code: CURLcode) -> Result<TransportResponse, TransportFailure> {
    if code == CURLE_OK, let easy {
      return .success(TransportResponse(status: ccurl_status(easy), fields: fields, body: body))
    }
    if let failure { return .failure(failure) }
    if code == CURLE_OPERATION_TIMEDOUT { return .failure(.timedOut) }
    let words = String(cString: message)
    return .failure(.unreachable(words.isEmpty ? String(cString: curl_easy_strerror(code)) : words))
  }

  /// Frees the handle, which must have been removed from its multi handle, and reports the result.
  func finish(_ result: Result<TransportResponse, TransportFailure>) {
    curl_easy_cleanup(easy)
    curl_slist_free_all(lines)
    (easy, lines) = (nil, nil)
    done?(result)
    done = nil
  }
}
