/// Names a picture by its content: SHA-256 of its bytes.
public struct PictureID: Hashable, Sendable {
  /// 64 hexadecimal digits in lower case.
  public let text: String

  /// The id that `text` writes, or nil.
  public init?(_ text: some StringProtocol) {
    guard text.utf8.count == 64, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    self.text = String(text)
  }

  /// The id for a digest of 32 bytes.
  public init(digest: [UInt8]) {
    precondition(digest.count == 32, "SHA-256 has 32 bytes")
    let digits = Array("0123456789abcdef".utf8)
    text = String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

/// A picture that somebody gave himself, or a room: as it was uploaded, of a known format and size.
public struct Picture: Hashable, Sendable {
  /// Its name.
  public var id: PictureID
  /// Format and size.
  public var mediaType: String
  /// The file.
  public var bytes: [UInt8]

  /// A picture from checked or stored values.
  public init(id: PictureID, mediaType: String, bytes: [UInt8]) {
    self.id = id
    self.mediaType = mediaType
    self.bytes = bytes
  }
}

/// What a picture may be (A4, SECURITY 4).
public enum PictureRules {
  /// The largest file, in bytes: 1 MiB.
  public static let bytes = 1 << 20
  /// The longest side, in pixels; its square is well below 50 million.
  public static let side = 4096

  /// Why a file is not taken, by what its sender can do.
  public enum Refusal: Error, Hashable, Sendable {
    /// It is none of the formats: send another.
    case format
    /// It has more than `bytes`.
    case bytes
    /// The format's rules are broken, or it ends too early: save it anew.
    case damaged
    /// A side is longer than `side`: make it smaller.
    case pixels(width: Int, height: Int)
  }

  /// What the header says of a file that may be taken.
  public static func check(_ bytes: [UInt8]) throws(Refusal) -> ImageHeader {
    guard bytes.count <= Self.bytes else { throw .bytes }
    switch ImageHeader.read(bytes) {
    case .unknown: throw .format
    case .incomplete, .invalid: throw .damaged
    case .header(let header):
      guard header.width <= side, header.height <= side else {
        throw .pixels(width: header.width, height: header.height)
      }
      return header
    }
  }
}
