/// Decodes the stand-in's pictures: one bit per pixel, stored blocks, all checksums verified.
struct PNGReader {
  struct Broken: Error {
    let reason: String
  }

  /// The pixels, row by row.
  private(set) var rows: [[Bool]] = []

  init(_ file: [UInt8]) throws {
    guard file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { throw Broken(reason: "signature") }
    var chunks: [String: [UInt8]] = [:]
    var rest = file.dropFirst(8)
    while !rest.isEmpty {
      let length = Self.number(rest.prefix(4))
      guard rest.count >= length + 12 else { throw Broken(reason: "length") }
      let body = rest.dropFirst(4).prefix(4 + length)
      let sum = Self.number(rest.dropFirst(8 + length).prefix(4))
      guard Self.checksum(body) == UInt32(sum) else { throw Broken(reason: "checksum") }
      chunks[String(decoding: body.prefix(4), as: UTF8.self)] = Array(body.dropFirst(4))
      rest = rest.dropFirst(12 + length)
    }
    guard let header = chunks["IHDR"], chunks["IEND"] == [], chunks["PLTE"]?.count == 6,
      Array(header[8...]) == [1, 3, 0, 0, 0]
    else { throw Broken(reason: "chunks") }
    let width = Self.number(header[0..<4])
    let pixels = try Self.inflate(chunks["IDAT"] ?? [])
    let stride = 1 + (width + 7) / 8
    guard pixels.count == stride * Self.number(header[4..<8]) else { throw Broken(reason: "rows") }
    for start in Swift.stride(from: 0, to: pixels.count, by: stride) {
      guard pixels[start] == 0 else { throw Broken(reason: "filter") }
      rows.append((0..<width).map { pixels[start + 1 + $0 / 8] >> UInt8(7 - $0 % 8) & 1 == 1 })
    }
  }

  private static func inflate(_ stream: [UInt8]) throws -> [UInt8] {
    guard stream.count > 6, (Int(stream[0]) << 8 | Int(stream[1])) % 31 == 0 else { throw Broken(reason: "zlib") }
    var rest = stream[2...]
    var bytes: [UInt8] = []
    while true {
      let head = Array(rest.prefix(5))
      guard head.count == 5, head[0] <= 1 else { throw Broken(reason: "block") }
      let length = Int(head[1]) | Int(head[2]) << 8
      guard length == ~(Int(head[3]) | Int(head[4]) << 8) & 0xFFFF else { throw Broken(reason: "block length") }
      bytes += rest.dropFirst(5).prefix(length)
      rest = rest.dropFirst(5 + length)
      if head[0] == 1 { break }
    }
    var (low, high) = (1, 0)
    for byte in bytes {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    guard rest.count == 4, number(rest) == high << 16 | low else { throw Broken(reason: "adler") }
    return bytes
  }

  private static func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

  private static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }
}
