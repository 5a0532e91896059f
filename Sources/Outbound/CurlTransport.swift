import Base
import EventLoop

/// The transport over libcurl, on an event loop of its own that starts with the first request.
package final class CurlTransport: Transport {
  private let multi = Lock<CurlMulti?>(nil)
  private let certificates: String?

  /// A transport without a thread or a connection yet.
  /// - Parameter certificates: the path of a PEM file with the authorities to trust instead of the system's.
  package init(certificates: String? = nil) {
    self.certificates = certificates
  }

  deinit {
    // No transfer is left: each holds the transport while it waits.
    multi.withLock { $0?.stop() }
  }

  /// See `Transport`.
  package func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
    let multi = try started()
    let transfer = CurlTransfer(request, certificates: certificates)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        multi.loop.execute { multi.start(transfer) { continuation.resume(returning: $0) } }
      }
    } onCancel: {
      multi.loop.execute { multi.cancel(transfer) }
    }
    return try result.get()
  }

  private func started() throws(TransportFailure) -> CurlMulti {
    do throws(SystemError) {
      return try multi.withLock { (multi) throws(SystemError) in
        if let multi { return multi }
        let started = try CurlMulti()
        multi = started
        return started
      }
    } catch {
      throw .unreachable("no event loop: \(error)")
    }
  }
}
