import Chat
import TestSupport
import Testing

@Suite("Image metadata", .shows("control 4"))
struct ImageMetadataTests {
  private let secret = Array("48.8584 N, 2.2945 E".utf8)

  private func holdsSecret(_ bytes: [UInt8]) -> Bool {
    bytes.indices.contains { bytes[$0...].starts(with: secret) }
  }

  private func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
  }

  private func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    number(data.count, 4) + Array(type.utf8) + data + [1, 2, 3, 4]
  }

  @Test(
    "PNG: texts, times, Exif and trailing bytes are removed; the picture, its colours and its animation stay",
    .shows("control 4"))
  func png() {
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let shown = ["IHDR", "iCCP", "acTL", "fcTL", "IDAT", "fdAT", "IEND"].map { chunk($0, [9, 9, 9]) }
    let told = ["tEXt", "zTXt", "iTXt", "eXIf", "tIME", "prVt"].map { chunk($0, secret) }
    let file = signature + shown[0] + told.joined() + shown[1...5].joined() + told[0] + shown[6] + secret
    #expect(holdsSecret(file))
    #expect(ImageMetadata.stripped(file, .png) == signature + shown.joined())
    let broken = signature + shown[0] + [0, 0, 9, 9] + Array("IDAT".utf8) + [1, 2, 3, 4, 5]
    #expect(ImageMetadata.stripped(broken, .png) == broken)
  }

  @Test("JPEG: Exif, XMP, IPTC, comments and trailing bytes are removed; the orientation stays", .shows("control 4"))
  func jpeg() {
    func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] { [0xFF, marker] + number(data.count + 2, 2) + data }
    let jfif = segment(0xE0, Array("JFIF\0".utf8))
    let profile = segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1])
    let adobe = segment(0xEE, Array("Adobe".utf8))
    // Little-endian, with an entry before the orientation (6), and a location after the directory.
    let tiff: [UInt8] =
      Array("II".utf8) + [42, 0, 8, 0, 0, 0, 2, 0] + [0x0F, 1, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0]
      + [0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0] + [0, 0, 0, 0]
    let exif = segment(0xE1, Array("Exif\0\0".utf8) + tiff + secret)
    let told = [0xE1, 0xE2, 0xED, 0xEF, 0xFE].map { segment($0, secret) }
    let tables = segment(0xDB, [0, 0xFF, 0xD9]) + segment(0xC0, [8, 0, 1, 0, 1, 1])
    let scan = segment(0xDA, [1]) + [5, 0xFF, 0, 6, 0xFF, 0xD0, 7]
    let file =
      [0xFF, 0xD8] + jfif + exif + told.joined() + profile + adobe + tables + scan + told[4] + scan
      + [0xFF, 0xD9] + secret
    #expect(holdsSecret(file))
    let stripped = ImageMetadata.stripped(file, .jpeg)
    let upright =
      Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
    #expect(
      stripped == [0xFF, 0xD8] + jfif + segment(0xE1, upright) + profile + adobe + tables + scan + scan + [0xFF, 0xD9])
    #expect(ImageMetadata.stripped(stripped, .jpeg) == stripped)
    for cut in file.indices { _ = ImageMetadata.stripped(Array(file[..<cut]), .jpeg) }
  }

  @Test("WebP: Exif and XMP are removed together with their flags; sizes are corrected", .shows("control 4"))
  func webp() {
    func part(_ type: String, _ data: [UInt8]) -> [UInt8] {
      Array(type.utf8) + number(data.count, 4).reversed() + data + (data.count % 2 == 1 ? [0] : [])
    }
    func file(_ parts: [UInt8]) -> [UInt8] {
      Array("RIFF".utf8) + number(parts.count + 4, 4).reversed() + Array("WEBP".utf8) + parts
    }
    let header: [UInt8] = [0, 0, 0, 9, 0, 0, 9, 0, 0]
    let picture = part("ICCP", [1, 2, 3]) + part("VP8L", [0x2F, 1, 2, 3, 4])
    let told = file(part("VP8X", [0x2C] + header) + picture + part("EXIF", secret) + part("XMP ", secret))
    #expect(holdsSecret(told))
    #expect(ImageMetadata.stripped(told, .webp) == file(part("VP8X", [0x20] + header) + picture))
    for cut in told.indices { _ = ImageMetadata.stripped(Array(told[..<cut]), .webp) }
  }
}
