import Chat
import Foundation
import FoundationNetworking
import Synchronization

/// The transport over one `URLSession`, which starts with the first request since it costs some 15 MB.
///
/// No transfer is ever cancelled (cancelling has hung the process, swift-corelibs-foundation issue 5412): one that takes
/// too long or brings too much is answered with its failure and then left to end by itself, its bytes dropped.
public final class URLSessionTransport: Transport {
  private let receiver = Receiver()
  private let clock: any ChatClock
  private let session = Mutex<URLSession?>(nil)

  /// A transport that has not opened anything yet; `clock` measures the requests' time limits.
  public init(clock: any ChatClock) {
    self.clock = clock
  }

  /// See `Transport`.
  public func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
    guard let url = URL(string: request.address.text) else { throw .unreachable("the address cannot be requested") }
    var message = URLRequest(url: url)
    message.httpMethod = request.method.rawValue
    if !request.body.isEmpty { message.httpBody = Data(request.body) }
    message.timeoutInterval = request.timeout / .seconds(1)
    for (name, value) in request.fields { message.setValue(value, forHTTPHeaderField: name) }
    let task = startedSession().dataTask(with: message)
    let result = await withCheckedContinuation { continuation in
      let timer = clock.after(request.timeout) { [receiver] in
        receiver.finish(task.taskIdentifier, with: .failure(.timedOut))
      }
      receiver.expect(task.taskIdentifier, limit: request.bodyLimit) { result in
        timer.cancel()
        continuation.resume(returning: result)
      }
      task.resume()
    }
    return try result.get()
  }

  private func startedSession() -> URLSession {
    session.withLock { session in
      if let session { return session }
      let configuration = URLSessionConfiguration.ephemeral
      // Caching, cookies and validators are the caller's business; a second cache beneath would answer for the server.
      configuration.urlCache = nil
      configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
      configuration.httpCookieStorage = nil
      configuration.httpShouldSetCookies = false
      configuration.httpMaximumConnectionsPerHost = 10
      let started = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
      session = started
      return started
    }
  }
}

/// Collects the parts of each transfer by its identifier. What comes for an unknown one, which was answered already, is
/// dropped.
private final class Receiver: NSObject, URLSessionDataDelegate {
  private struct Transfer {
    var body: [UInt8] = []
    let limit: Int
    let answer: @Sendable (Result<TransportResponse, TransportFailure>) -> Void
  }

  private let transfers = Mutex<[Int: Transfer]>([:])

  func expect(
    _ id: Int, limit: Int, answer: @escaping @Sendable (Result<TransportResponse, TransportFailure>) -> Void
  ) {
    transfers.withLock { $0[id] = Transfer(limit: limit, answer: answer) }
  }

  func finish(_ id: Int, with result: Result<TransportResponse, TransportFailure>) {
    transfers.withLock { $0.removeValue(forKey: id) }?.answer(result)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let id = dataTask.taskIdentifier
    let exceeds = transfers.withLock { transfers in
      guard let transfer = transfers[id] else { return false }
      if transfer.body.count + data.count > transfer.limit { return true }
      transfers[id]?.body.append(contentsOf: data)
      return false
    }
    if exceeds { finish(id, with: .failure(.oversized)) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    // The caller decides, since only it knows where a token may go.
    completionHandler(nil)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let id = task.taskIdentifier
    if let error {
      let isTimeout = (error as? URLError)?.code == .timedOut
      finish(id, with: .failure(isTimeout ? .timedOut : .unreachable(error.localizedDescription)))
    } else if let response = task.response as? HTTPURLResponse {
      var fields: [String: String] = [:]
      for case let (name as String, value as String) in response.allHeaderFields { fields[name] = value }
      let body = transfers.withLock { $0[id]?.body } ?? []
      finish(id, with: .success(TransportResponse(status: response.statusCode, fields: fields, body: body)))
    } else {
      finish(id, with: .failure(.unreachable("no answer")))
    }
  }
}
