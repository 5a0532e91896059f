/// Identifies a picture by its content: SHA-256 of its bytes.
package struct PictureID: Hashable, Sendable {
  /// 64 hexadecimal digits in lower case.
  package let text: String

  /// Parses `text`; nil if it is invalid.
  package init?(_ text: some StringProtocol) {
    guard text.utf8.count == 64, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    self.text = String(text)
  }

  /// The id for a digest of 32 bytes.
  package init(digest: [UInt8]) {
    precondition(digest.count == 32, "SHA-256 has 32 bytes")
    let digits = Array("0123456789abcdef".utf8)
    text = String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

/// A picture that a person uploaded for themselves or for a room, of a known format and size.
package struct Picture: Hashable, Sendable {
  package var id: PictureID
  package var mediaType: String
  package var bytes: [UInt8]

  package init(id: PictureID, mediaType: String, bytes: [UInt8]) {
    self.id = id
    self.mediaType = mediaType
    self.bytes = bytes
  }
}

/// The rules for uploaded pictures.
package enum PictureRules {
  /// The largest file, in bytes: 1 MiB.
  package static let bytes = 1 << 20
  /// The longest side, in pixels; its square is well below 50 million.
  package static let side = 4096

  /// Why a file is rejected, classified by what its sender can do.
  package enum Refusal: Error, Hashable, Sendable {
    /// It has none of the accepted formats: send another file.
    case format
    /// It is larger than `bytes`.
    case bytes
    /// It violates its format, or ends too early: save it again.
    case damaged
    /// A side is longer than `side`: make it smaller.
    case pixels(width: Int, height: Int)
  }

  /// The header of an acceptable file.
  package static func check(_ bytes: [UInt8]) throws(Refusal) -> ImageHeader {
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
