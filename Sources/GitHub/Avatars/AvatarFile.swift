import Crypto

/// A cached picture as stored on disk. The format detects torn writes: magic, SHA-256 of the rest, time of the last
/// check, GitHub's validator, the picture's bytes.
struct AvatarFile: Equatable {
  private static let magic = Array("HBAV1\n".utf8)

  /// When GitHub last confirmed the picture, in milliseconds since the epoch.
  var checkedAt: Int64
  /// GitHub's ETag, verbatim; empty if it sent none.
  var etag: String
  /// The picture's bytes.
  let bytes: [UInt8]
  /// SHA-256 of the picture in hexadecimal.
  let digest: String

  init(checkedAt: Int64, etag: String, bytes: [UInt8]) {
    self.checkedAt = checkedAt
    self.etag = etag
    self.bytes = bytes
    digest = Self.hexadecimal(SHA256.hash(data: bytes))
  }

  /// Decodes `file`; nil if any part of it is damaged.
  init?(file: [UInt8]) {
    guard file.starts(with: Self.magic) else { return nil }
    let digest = file.dropFirst(Self.magic.count).prefix(32)
    var rest = file.dropFirst(Self.magic.count + 32)
    guard digest.count == 32, SHA256.hash(data: rest).elementsEqual(digest),
      let time = Self.take(8, from: &rest), let etagLength = Self.take(2, from: &rest), rest.count >= Int(etagLength)
    else { return nil }
    let etag = String(decoding: rest.prefix(Int(etagLength)), as: UTF8.self)
    self.init(checkedAt: Int64(bitPattern: time), etag: etag, bytes: Array(rest.dropFirst(Int(etagLength))))
  }

  /// The file's contents.
  var encoded: [UInt8] {
    let etag = Array(etag.utf8.prefix(1000))
    let content =
      Self.bigEndian(UInt64(bitPattern: checkedAt), 8) + Self.bigEndian(UInt64(etag.count), 2) + etag + bytes
    return Self.magic + Array(SHA256.hash(data: content)) + content
  }

  /// The file name for `text`: its SHA-256 in hexadecimal.
  static func name(for text: String) -> String { hexadecimal(SHA256.hash(data: Array(text.utf8))) }

  private static func hexadecimal(_ digest: SHA256Digest) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  private static func bigEndian(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }

  private static func take(_ count: Int, from rest: inout ArraySlice<UInt8>) -> UInt64? {
    guard rest.count >= count else { return nil }
    let value = rest.prefix(count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    rest = rest.dropFirst(count)
    return value
  }
}
