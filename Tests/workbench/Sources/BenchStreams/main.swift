import Base
import EventLoop
import Glibc

// The readers of the fan-out benchmark, all on one thread:
//   BenchStreams PORT PATH PUBLISH_PATH COUNT MESSAGES PER_SECOND PID…
// Opens COUNT event streams, waits until all are open and the server's memory stands still, publishes MESSAGES, each
// with the time it was sent at, and prints one line of JSON when all have arrived or nothing comes any more.

let arguments = CommandLine.arguments
guard arguments.count >= 8, let port = Int(arguments[1]), let count = Int(arguments[4]),
  let messages = Int(arguments[5]), let rate = Int(arguments[6])
else {
  print("usage: BenchStreams PORT PATH PUBLISH_PATH COUNT MESSAGES PER_SECOND PID…")
  exit(64)
}
let (path, publishPath) = (arguments[2], arguments[3])
let processes = arguments[7...].compactMap { Int32($0) }
SystemCall.raiseDescriptorLimit()

/// Bytes of a file below /proc.
func text(_ path: String) -> String {
  guard let file = fopen(path, "r") else { return "" }
  defer { fclose(file) }
  var buffer = [UInt8](repeating: 0, count: 8192)
  let count = fread(&buffer, 1, buffer.count, file)
  return String(decoding: buffer[..<count], as: UTF8.self)
}

/// The server's own memory, in KiB.
func memory() -> Int {
  processes.reduce(0) { sum, process in
    let line = text("/proc/\(process)/status").split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return sum + (line?.split(separator: " ").compactMap { Int($0.filter(\.isNumber)) }.first ?? 0)
  }
}

/// The processor time that the server has taken, in seconds.
func processorSeconds() -> Double {
  let ticks = processes.reduce(0) { sum, process in
    let fields = text("/proc/\(process)/stat").split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return sum }
    return sum + user + system
  }
  return Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
}

/// What has come in all streams. On the loop only.
nonisolated(unsafe) var opened = 0  // touched on the one loop, read elsewhere only after it has stopped
nonisolated(unsafe) var delivered = 0  // likewise
nonisolated(unsafe) var latencies: [Int64] = []  // likewise
let pattern = Array("data: t=".utf8)

/// One reader: counts the marks in what comes, and reads the time behind each.
final class Reader: EventHandler {
  let descriptor: Int32
  private var isOpen = false
  /// How much of the mark has been seen, and the digits behind it, nil outside of a number.
  private var matched = 0
  private var number: Int64?

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  func handle(_ events: Readiness) {
    withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 8) { buffer in
      guard case .done(let count)? = try? SystemCall.receive(descriptor, into: buffer), count > 0 else {
        print("a stream ended")
        exit(1)
      }
      if !isOpen {
        isOpen = true
        opened += 1
      }
      for byte in buffer[..<count] { read(byte) }
    }
  }

  private func read(_ byte: UInt8) {
    if let value = number {
      if byte &- 0x30 < 10 {
        number = value * 10 + Int64(byte - 0x30)
      } else {
        number = nil
        delivered += 1
        latencies.append(MonotonicTime.now().nanoseconds - value)
      }
    } else if byte == pattern[matched] {
      matched += 1
      if matched == pattern.count { (matched, number) = (0, 0) }
    } else {
      matched = byte == pattern[0] ? 1 : 0
    }
  }
}

func connect() throws -> Int32 {
  try SystemCall.connect(to: SocketAddress(host: "127.0.0.1", port: port), timeoutSeconds: 20)
}

let loop = try EventLoop(name: "readers")
loop.start()
/// What `work` gives on the loop.
func onLoop<Value: Sendable>(_ work: @escaping @Sendable () -> Value) -> Value {
  let done = Lock<Value?>(nil)
  loop.execute {
    let value = work()
    done.withLock { $0 = value }
  }
  while true {
    if let value = done.withLock({ $0 }) { return value }
    usleep(1000)
  }
}

usleep(200_000)
let memoryBefore = memory()
for _ in 0..<count {
  let descriptor = try connect()
  try SystemCall.sendAll(
    descriptor, Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n".utf8))
  loop.execute { _ = try? loop.register(descriptor, for: .readable, handler: Reader(descriptor)) }
}
while onLoop({ opened }) < count { usleep(10_000) }
sleep(1)
let kibEach = Double(memory() - memoryBefore) / Double(count)

let publisher = try connect()
let filling = String(repeating: "x", count: 150)
let timeBefore = processorSeconds()
let began = MonotonicTime.now()
for number in 0..<messages {
  let due = began + .nanoseconds(Int64(number) * 1_000_000_000 / Int64(rate))
  let ahead = due.nanoseconds - MonotonicTime.now().nanoseconds
  if ahead > 0 { usleep(UInt32(ahead / 1000)) }
  let body = "t=\(MonotonicTime.now().nanoseconds) \(filling)"
  let head = "POST \(publishPath) HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
  try SystemCall.sendAll(publisher, Array("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))
  _ = try SystemCall.receiveBlocking(publisher, atMost: 65536)
}
var last = -1
while case let now = onLoop({ delivered }), now < count * messages, now != last {
  last = now
  sleep(1)
}
let took = processorSeconds() - timeBefore
let sorted = onLoop { latencies }.sorted()
func percentile(_ share: Double) -> Double {
  sorted.isEmpty ? 0 : Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]) / 1_000_000
}
print(
  #"{"streams":\#(count),"delivered":\#(onLoop { delivered }),"expected":\#(count * messages),"cpu_seconds":\#(took),"#
    + #""per_cpu_second":\#(took > 0 ? Double(onLoop { delivered }) / took : 0),"p50_ms":\#(percentile(0.5)),"#
    + #""p99_ms":\#(percentile(0.99)),"kib_per_idle_stream":\#(kibEach)}"#)
