import HTTP
import HTTPServer

/// Passes requests to an application without a connection, following the server's rules as far as possible.
struct MemoryTransport {
  let application: any Application
  let limits: Limits

  func send(head bytes: [UInt8], body: [UInt8]) async throws -> TestResponse {
    let id = "in-memory"
    let head: RequestHead
    do {
      head = try MemoryTransport.parse(bytes, limits: limits)
    } catch {
      return try finish(application.answer(to: error, requestID: id), id: id, hasBody: true)
    }
    let hasBody = head.method != .head
    let (endpoint, parameters) = application.endpoint(for: head)
    var decoder = BodyDecoder(framing: head.framing, limit: endpoint.bodyLimit ?? limits.bodyBytes, limits: limits)
    switch decoder.feed(body.span) {
    case .complete: break
    case .needsMore: throw TestClient.Failure.invalidRequest(ProtocolError(.badRequest, "the body is too short"))
    case .invalid(let error): return try finish(application.answer(to: error, requestID: id), id: id, hasBody: hasBody)
    }
    let whole = decoder.takeBody()
    var request = Request(
      head: head, body: endpoint.receivesBody ? [] : whole, id: id, parameters: parameters)
    if endpoint.receivesBody { request.arrivingBody = RequestBody(whole) }
    let response: Response
    do {
      response = try await endpoint.responder(request)
    } catch {
      response = application.answer(
        to: ProtocolError(.internalServerError, "the request could not be answered"), requestID: id)
    }
    return try finish(response, id: id, hasBody: hasBody)
  }

  static func parse(_ bytes: [UInt8], limits: Limits) throws(ProtocolError) -> RequestHead {
    var parser = RequestParser(limits: limits)
    switch parser.parse(bytes.span) {
    case .parsed(let head, _): return head
    case .invalid(let error): throw error
    case .incomplete: throw ProtocolError(.badRequest, "the head does not end")
    }
  }

  /// Adds the fields that the server adds, and omits the body where the server does.
  private func finish(_ response: Response, id: String, hasBody: Bool) throws -> TestResponse {
    var fields = response.fields
    for line in application.defaultFields where !fields.contains(line.name) { fields.add(line.name, line.value) }
    fields.set(.xRequestID, id)
    fields.set(.xContentTypeOptions, "nosniff")
    let body: [UInt8]
    switch response.body {
    case .empty: body = []
    case .bytes(let bytes): body = bytes
    case .file(let file): body = try file.bytes()
    case .eventStream:
      guard !hasBody else { throw TestClient.Failure.streamNeedsSocket }
      return TestResponse(status: response.status, fields: fields, body: [])
    }
    if !response.status.isBodiless { fields.set(.contentLength, String(body.count)) }
    return TestResponse(
      status: response.status, fields: fields, body: hasBody && !response.status.isBodiless ? body : [])
  }
}
