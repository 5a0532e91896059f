import FuzzSupport
import HTTP

/// Reads inputs as lines of hexadecimal digits, and writes for each what the parser makes of it, one line of JSON:
/// what another parser's outcome can be compared with.
func digits(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

while let line = readLine() {
  let digits16 = Array(line.utf8).map { $0 >= 0x61 ? $0 - 0x57 : $0 - 0x30 }
  let bytes = stride(from: 0, to: digits16.count - 1, by: 2).map { digits16[$0] << 4 | digits16[$0 + 1] }
  let exchange = Exchange(bytes, cuts: [bytes.count], limits: Limits()) { condition, text in
    if !condition { fatalError(text()) }
  }
  print(json(exchange))
}

/// Texts go out as digits: no escaping, whatever is in them.
func json(_ exchange: Exchange) -> String {
  let messages = exchange.messages.map { message in
    let fields = message.fields.map { #"["\#(digits($0[0].utf8))","\#(digits($0[1].utf8))"]"# }.joined(separator: ",")
    let texts = #""method":"\#(message.method)","target":"\#(digits(message.target.utf8))","fields":[\#(fields)]"#
    let body = #""version":"\#(message.version)","body":"\#(digits(message.body))""#
    return "{\(texts),\(body),\"keepAlive\":\(message.keepAlive),\"end\":\(message.end)}"
  }
  let refusal = #""refusal":\#(exchange.refusal ?? 0),"reason":"\#(exchange.reason ?? "")""#
  return #"{"messages":[\#(messages.joined(separator: ","))],\#(refusal)}"#
}
