import Foundation
import Outbound
import Testing

private let nginx = "/usr/sbin/nginx"
private let openssl = "/usr/bin/openssl"

/// Uses nginx, if installed (`bin/bench` installs it), with a certificate made for the test.
@Suite("Requests over TLS", .enabled(if: [nginx, openssl].allSatisfy(FileManager.default.isExecutableFile)))
struct TLSTests {
  @Test("HTTP/2 is used; an unknown authority and another host's certificate are refused")
  func tls() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "outbound-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try run(
      openssl,
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
        "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", "key.pem", "-out", "certificate.pem",
      ], in: folder
    ).waitUntilExit()
    // Its port is free again once it stops.
    let peer = try Peer { _ in }
    peer.stop()
    try """
    daemon off; master_process off; pid nginx.pid; error_log stderr crit; events {}
    http {
      access_log off;
      server {
        listen 127.0.0.1:\(peer.port) ssl http2;
        ssl_certificate certificate.pem; ssl_certificate_key key.pem;
        location / { return 200 $server_protocol; }
      }
    }
    """.write(to: folder.appending(path: "nginx.conf"), atomically: true, encoding: .utf8)
    let server = try run(nginx, ["-p", folder.path, "-c", "nginx.conf"], in: folder)
    defer {
      // A child process of a thread that blocks signals also has SIGTERM blocked.
      kill(server.processIdentifier, SIGKILL)
      server.waitUntilExit()
    }
    let trusting = CurlTransport(certificates: folder.appending(path: "certificate.pem").path)
    func send(_ transport: CurlTransport, _ host: String) async throws(TransportFailure) -> String {
      guard let address = WebAddress("https://\(host):\(peer.port)/") else { preconditionFailure(host) }
      let request = TransportRequest(
        address: address, reach: .anyAddress, fields: [:], bodyLimit: 100, timeout: .seconds(60))
      return String(decoding: try await transport.send(request).body, as: UTF8.self)
    }
    var protocolName: String?
    while protocolName == nil {
      try #require(server.isRunning)
      // Refused until nginx listens.
      protocolName = try? await send(trusting, "localhost")
    }
    #expect(protocolName == "HTTP/2.0")
    for (transport, host) in [(CurlTransport(), "localhost"), (trusting, "127.0.0.1")] {
      let error = await #expect(throws: TransportFailure.self) { try await send(transport, host) }
      guard case .unreachable(let words) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(words.contains("certificate"), "\(words)")
    }
  }

  @discardableResult
  private func run(_ program: String, _ arguments: [String], in folder: URL) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }
}
