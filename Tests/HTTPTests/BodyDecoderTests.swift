import HTTP
import TestSupport
import Testing

@Suite("Bodies (RFC 9112 sections 6 and 7), whole, byte by byte, and cut everywhere", .shows("H1"))
struct BodyDecoderTests {
  let chunked = BodyVerifier()

  @Test("a body of known length consumes exactly its bytes")
  func length() {
    let body = BodyVerifier(framing: .length(5))
    #expect(body.outcome("helloGET /") == .parsed("hello", consumed: 5))
    #expect(body.outcome("hell") == .incomplete)
    #expect(BodyVerifier(framing: .length(0)).outcome("GET /") == .parsed("", consumed: 0))
    #expect(BodyVerifier(framing: .none).outcome("GET /") == .parsed("", consumed: 0))
    #expect(BodyVerifier(framing: .length(6), limit: 5).outcome("").status == 413)
    #expect(BodyVerifier(framing: .length(5), limit: 5).outcome("hello") == .parsed("hello", consumed: 5))
  }

  @Test("a declared length beyond the limit is known before the body")
  func exceeds() {
    #expect(BodyFraming.length(6).exceeds(5))
    #expect(!BodyFraming.length(5).exceeds(5))
    #expect(!BodyFraming.chunked.exceeds(0))
    #expect(BodyDecoder(framing: .none, limit: 0).isComplete)
    #expect(!BodyDecoder(framing: .chunked, limit: 0).isComplete)
  }

  @Test("chunks are joined; extensions and trailers are skipped (section 7.1)")
  func chunks() {
    #expect(chunked.outcome("5\r\nhello\r\n0\r\n\r\nGET /") == .parsed("hello", consumed: 15))
    #expect(chunked.outcome("0\r\n\r\n") == .parsed("", consumed: 5))
    #expect(chunked.outcome("1\r\na\r\n0A\r\n0123456789\r\n000\r\n\r\n") == .parsed("a0123456789", consumed: 29))
    #expect(chunked.outcome("a\r\n0123456789\r\n0\r\n\r\n") == .parsed("0123456789", consumed: 20))
    #expect(chunked.outcome("1;x=y;z=\"q\"\r\na\r\n0;last\r\n\r\n") == .parsed("a", consumed: 26))
    #expect(chunked.outcome("1 \t;x\r\na\r\n0\r\n\r\n") == .parsed("a", consumed: 15))
    for text in ["1; x ; y = z", "1;x=\"\"", "1;x=\"a\\\"b;=\t\";y", "1;x\t=\t\"q\" ;z=1"] {
      #expect(chunked.outcome(text + "\r\na\r\n0\r\n\r\n") == .parsed("a", consumed: text.utf8.count + 10), "\(text)")
    }
    #expect(chunked.outcome("0\r\nX: y\r\nZ:\r\n\r\nrest") == .parsed("", consumed: 15))
    #expect(chunked.outcome("5\r\nhel") == .incomplete)
    #expect(chunked.outcome("0\r\n") == .incomplete)
  }

  @Test(
    "malformed chunks are refused",
    arguments: [
      ("\r\n", 400), ("x\r\n", 400), ("-1\r\n", 400), ("+1\r\na\r\n", 400), (" 1\r\na\r\n", 400), ("0x1\r\na\r\n", 400),
      ("1\na\r\n", 400), ("1\r\na\n", 400), ("1\r\nab\r\n", 400), ("1\rX", 400), ("1\r\na\rX", 400), ("1 \r\na", 400),
      ("1 x\r\na", 400), ("1;x\ny\r\n", 400), ("1;x\u{0}\r\n", 400), (";x\r\n", 400), ("1;\r\n", 400),
      ("1;;x\r\n", 400), ("1;x=\r\n", 400), ("1;x=y=z\r\n", 400), ("1;x y\r\n", 400), ("1;x=y z\r\n", 400),
      ("1;x=\"y\r\n", 400), ("1;x=\"y\"z\r\n", 400), ("1;x \r\n", 400), ("1;x=\"y\\\r\n", 400), ("1;{}\r\n", 400),
      ("1,2\r\n", 400),
      ("00000000000000001\r\n", 400), ("FFFFFFFFFFFFFFFF\r\n", 413), ("8000000000000000\r\n", 413),
      ("7FFFFFFFFFFFFFFF\r\n", 413), ("100000000000000000\r\n", 413), ("10001\r\n", 413),
      ("0\r\n X: y\r\n\r\n", 400), ("0\r\nX y: z\r\n\r\n", 400), ("0\r\nX: y\r\n z\r\n\r\n", 400),
      ("0\r\n: y\r\n\r\n", 400),
      ("0\r\nX: \u{0}\r\n\r\n", 400), ("0\r\nX: y\n\r\n", 400), ("0\r\n\rX", 400), ("0\r\nX: y\rZ", 400),
      ("0\r\nX\r\n\r\n", 400), ("0\r\n\n", 400),
    ])
  func malformed(text: String, status: Int) {
    let outcome = chunked.outcome(text)
    #expect(outcome.status == status, "\(text.debugDescription): \(outcome)")
  }

  @Test("sizes cannot overflow, even if the limit is the largest number")
  func overflow() {
    let unlimited = BodyVerifier(limit: .max)
    #expect(unlimited.outcome("FFFFFFFFFFFFFFFF\r\n").status == 413)
    #expect(unlimited.outcome("7FFFFFFFFFFFFFFF\r\nx") == .incomplete)
    #expect(unlimited.outcome("1\r\na\r\n7FFFFFFFFFFFFFFF\r\nx").status == 413)
  }

  @Test("the total of the chunks, of the extensions and of the trailers is bounded")
  func bounds() {
    var limits = Limits()
    limits.chunkExtensionBytes = 16
    limits.fieldCount = 2
    let small = BodyVerifier(limit: 4, limits: limits)
    #expect(small.outcome("2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n") == .parsed("abcd", consumed: 19))
    #expect(small.outcome("2\r\nab\r\n3\r\n").status == 413)
    #expect(small.outcome("1;89ABCDEF\r\na\r\n1;89ABCDE\r\nb\r\n0\r\n\r\n") == .parsed("ab", consumed: 34))
    #expect(small.outcome("1;89ABCDEF\r\na\r\n1;89ABCDEFG\r\nb\r\n").status == 400)
    #expect(small.outcome("1                  ;").status == 400)
    #expect(small.outcome("0\r\nA: 3456789AB\r\n").status == nil)
    #expect(small.outcome("0\r\nA: 3456789ABCDEF\r\n\r\n").status == 431)
    #expect(small.outcome("0\r\nA:\r\nB:\r\n\r\n") == .parsed("", consumed: 13))
    #expect(small.outcome("0\r\nA:\r\nB:\r\nC:\r\n\r\n").status == 431)
  }

  @Test("the result does not change once it is final")
  func final() {
    var decoder = BodyDecoder(framing: .length(2), limit: 9)
    #expect(decoder.feed(Array("abc".utf8).span) == .complete(consumed: 2))
    #expect(decoder.feed(Array("c".utf8).span) == .complete(consumed: 0))
    #expect(decoder.takeBody() == Array("ab".utf8))
    #expect(decoder.body.isEmpty)
    var broken = BodyDecoder(framing: .chunked, limit: 9)
    let first = broken.feed(Array("x".utf8).span)
    #expect(broken.feed(Array("1\r\n".utf8).span) == first)
  }
}
