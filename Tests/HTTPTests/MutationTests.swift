import HTTP
import TestSupport
import Testing

@Suite("Random input")
struct MutationTests {
  /// Valid and invalid fragments of requests that mutations insert anywhere.
  static let fragments: [[UInt8]] = [
    "\r\n", "\r", "\n", "\r\n\r\n", " ", "\t", ":", "\0", "GET ", "POST ", " HTTP/1.1", " HTTP/1.0", " HTTP/2.0", "/",
    "*", "?", "%2e", "%00", "..", "http://a", "Host: a", "Content-Length: 5", "Transfer-Encoding: chunked", "chunked",
    "Connection: close", "Expect: 100-continue", ",", "5\r\nhello\r\n", "0\r\n\r\n", ";x=y", "FFFFFFFFFFFFFFFF", "é",
  ].map { Array($0.utf8) }

  static let seeds: [[UInt8]] = [
    "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    "\r\nPOST /rooms/1/messages?x=%41 HTTP/1.1\r\nHost: a:80\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello",
    "PUT http://b/c%20d HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n0\r\n\r\n",
    "OPTIONS * HTTP/1.0\r\nConnection: keep-alive\r\nX-Y: a long value that is read eight bytes at a time\r\n\r\n",
  ].map { Array($0.utf8) }

  static func mutated(_ seed: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var bytes = seed
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let position = Int.random(in: 0...bytes.count, using: &random)
      let length = min(Int.random(in: 0...6, using: &random), bytes.count - position)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: if position < bytes.count { bytes[position] = UInt8.random(in: .min ... .max, using: &random) }
      case 1: bytes.removeSubrange(position..<(position + length))
      case 2: bytes.insert(contentsOf: fragments.randomElement(using: &random) ?? [], at: position)
      default: bytes.insert(contentsOf: bytes[position..<(position + length)], at: position)
      }
    }
    return bytes
  }

  @Test(
    "4,000 mutated heads never trap and have one result, whole and in pieces", arguments: [1, 2, 3, 4] as [UInt64])
  func heads(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var limits = Limits()
    limits.targetBytes = 40
    limits.fieldBytes = 120
    limits.fieldCount = 6
    let verifiers = [ParserVerifier(), ParserVerifier(limits: limits)]
    var parsed = 0
    for round in 0..<1000 {
      let bytes = Self.mutated(Self.seeds[round % Self.seeds.count], &random)
      let outcome = verifiers[round / 4 % 2].outcome(bytes, everySplit: round % 20 == 0)
      if case .parsed(_, let consumed) = outcome {
        parsed += 1
        #expect(consumed <= bytes.count)
      }
    }
    // The mutations must leave some requests valid; otherwise half of the parser would not be reached.
    #expect(parsed > 50)
  }

  @Test("4,000 mutated chunked bodies likewise", arguments: [5, 6, 7, 8] as [UInt64])
  func bodies(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let valid = Array("5;a=b\r\nhello\r\nB\r\n hello world\r\n0\r\nX-Y: z\r\n\r\n".utf8)
    let verifier = BodyVerifier(limit: 40)
    var parsed = 0
    for round in 0..<1000 {
      let outcome = verifier.outcome(Self.mutated(valid, &random), everySplit: round % 20 == 0)
      if case .parsed(let body, _) = outcome {
        parsed += 1
        #expect(body.utf8.count <= 40)
      }
    }
    #expect(parsed > 3)
  }
}
