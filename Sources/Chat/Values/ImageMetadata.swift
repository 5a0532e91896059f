/// Removes what cameras and editors add to a picture's file: places, times, device names, comments, thumbnails. The
/// picture itself is not decoded and stays the same byte for byte; so do colour profiles and animations.
package enum ImageMetadata {
  /// The file without metadata, and without anything after the picture's end. A file with a damaged structure is kept
  /// up to the damage.
  package static func stripped(_ bytes: [UInt8], _ format: ImageHeader.Format) -> [UInt8] {
    guard bytes.count >= 12 else { return bytes }
    return switch format {
    case .png: png(bytes)
    case .jpeg: jpeg(bytes)
    case .webp: webp(bytes)
    case .gif: bytes
    }
  }

  // MARK: PNG (W3C, third edition, section 5)

  /// The chunks that affect how a picture is shown.
  private static let shownChunks: Set<String> = [
    "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "bKGD", "hIST", "pHYs",
    "sPLT",
    "acTL", "fcTL", "fdAT",
  ]

  private static func png(_ bytes: [UInt8]) -> [UInt8] {
    var kept = Array(bytes.prefix(8))
    var position = 8
    while position + 12 <= bytes.count {
      let length =
        Int(bytes[position]) << 24 | Int(bytes[position + 1]) << 16 | Int(bytes[position + 2]) << 8
        | Int(bytes[position + 3])
      let type = String(decoding: bytes[position + 4..<position + 8], as: UTF8.self)
      let end = position + 12 + length
      guard end <= bytes.count else { break }
      if shownChunks.contains(type) { kept += bytes[position..<end] }
      position = end
      if type == "IEND" { return kept }
    }
    return kept + bytes[position...]
  }

  // MARK: JPEG (ITU-T T.81, annex B)

  private static func jpeg(_ bytes: [UInt8]) -> [UInt8] {
    var kept = Array(bytes.prefix(2))
    var position = 2
    var orientation: UInt8?
    while position + 4 <= bytes.count, bytes[position] == 0xFF {
      let marker = bytes[position + 1]
      // Fill bytes may precede a marker.
      if marker == 0xFF {
        position += 1
        continue
      }
      if marker == 0xD9 { break }
      let end = position + 2 + Int(bytes[position + 2]) << 8 + Int(bytes[position + 3])
      guard end <= bytes.count, end >= position + 4 else { return kept + bytes[position...] }
      let segment = bytes[position..<end]
      if isShown(segment, marker) { kept += segment }
      if marker == 0xE1, orientation == nil {
        orientation = self.orientation(in: Array(segment.dropFirst(4)))
        // Without it a photograph would be shown on its side.
        if let orientation { kept += exif(orientation: orientation) }
      }
      position = end
      // Compressed data ends at a marker, where 0xFF is followed by neither 0 nor a restart (B.1.1.5).
      if marker == 0xDA {
        let start = position
        while position + 1 < bytes.count, bytes[position] != 0xFF || isData(bytes[position + 1]) { position += 1 }
        guard position + 1 < bytes.count else { return kept + bytes[start...] }
        kept += bytes[start..<position]
      }
    }
    return kept + bytes[position...].prefix(2)
  }

  private static func isData(_ byte: UInt8) -> Bool { byte == 0 || (0xD0...0xD7).contains(byte) || byte == 0xFF }

  /// All segments except comments and application data; of those, JFIF, colour profiles and Adobe's colour transform
  /// are kept.
  private static func isShown(_ segment: ArraySlice<UInt8>, _ marker: UInt8) -> Bool {
    switch marker {
    case 0xFE: false
    case 0xE0, 0xEE: true
    case 0xE2: segment.dropFirst(4).starts(with: Array("ICC_PROFILE\0".utf8))
    case 0xE1...0xEF: false
    default: true
    }
  }

  /// The orientation in Exif (tag 0x0112 of its first directory), unless the picture is upright.
  private static func orientation(in segment: [UInt8]) -> UInt8? {
    guard segment.starts(with: Array("Exif\0\0".utf8)), segment.count >= 16 else { return nil }
    let tiff = Array(segment.dropFirst(6))
    let isLittle = tiff[0] == 0x49
    func number(_ place: Int, _ count: Int) -> Int? {
      guard place >= 0, place + count <= tiff.count else { return nil }
      let digits = tiff[place..<place + count]
      return (isLittle ? Array(digits.reversed()) : Array(digits)).reduce(0) { $0 << 8 | Int($1) }
    }
    guard let directory = number(4, 4), let count = number(directory, 2) else { return nil }
    for entry in 0..<min(count, 200) {
      let place = directory + 2 + 12 * entry
      guard let tag = number(place, 2) else { return nil }
      if tag == 0x0112 { return number(place + 8, 2).flatMap { (2...8).contains($0) ? UInt8($0) : nil } }
    }
    return nil
  }

  /// An Exif segment with only the orientation.
  private static func exif(orientation: UInt8) -> [UInt8] {
    [0xFF, 0xE1, 0, 34] + Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1]
      + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
  }

  // MARK: WebP (RFC 9649, section 2)

  private static let shownParts: Set<String> = ["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]
  /// The bits of VP8X that announce Exif and XMP.
  private static let metadataFlags: UInt8 = 0x0C

  private static func webp(_ bytes: [UInt8]) -> [UInt8] {
    var kept = Array(bytes.prefix(12))
    var position = 12
    while position + 8 <= bytes.count {
      let type = String(decoding: bytes[position..<position + 4], as: UTF8.self)
      let length = (0..<4).reduce(0) { $0 | Int(bytes[position + 4 + $1]) << (8 * $1) }
      // Odd chunks are padded.
      let end = position + 8 + length + length % 2
      guard end <= bytes.count else { break }
      if shownParts.contains(type) {
        kept += bytes[position..<end]
        if type == "VP8X", length > 0 { kept[kept.count - (end - position) + 8] &= ~metadataFlags }
      }
      position = end
    }
    // An incomplete last chunk may belong to the picture, so it is kept.
    if position + 8 <= bytes.count { kept += bytes[position...] }
    guard kept.count >= 12 else { return bytes }
    for index in 0..<4 { kept[4 + index] = UInt8(truncatingIfNeeded: (kept.count - 8) >> (8 * index)) }
    return kept
  }
}
