import Chat
import TestSupport
import Testing

@Suite("Picture headers", .shows("control 4"))
struct ImageHeaderTests {
  struct Case: CustomStringConvertible, Sendable {
    let name: String
    let format: ImageHeader.Format
    let file: @Sendable (Int, Int) -> [UInt8]
    /// The number of bytes at the end that do not affect the size.
    var surplus = 0
    var description: String { name }
  }

  static let cases = [
    Case(name: "PNG", format: .png, file: ImageFiles.png),
    Case(name: "JPEG", format: .jpeg, file: { ImageFiles.jpeg($0, $1) }),
    Case(name: "progressive JPEG", format: .jpeg, file: { ImageFiles.jpeg($0, $1, frame: 0xC2) }),
    Case(name: "lossy WebP", format: .webp, file: ImageFiles.lossyWebP),
    Case(name: "lossless WebP", format: .webp, file: ImageFiles.losslessWebP),
    Case(name: "extended WebP", format: .webp, file: ImageFiles.extendedWebP),
    Case(name: "GIF", format: .gif, file: { ImageFiles.gif($0, $1) }, surplus: 17),
  ]

  @Test("Each format's size is read, with and without trailing bytes", .shows("control 4"), arguments: cases)
  func whole(_ one: Case) {
    for (width, height) in [(1, 1), (80, 40), (4096, 3), (3, 4096), (8000, 6250)] {
      let header = ImageHeader.read(one.file(width, height))
      guard case .header(let read) = header else {
        return #expect(Bool(false), "\(one) \(width) × \(height): \(header)")
      }
      #expect((read.format, read.width, read.height) == (one.format, width, height))
      if one.format != .gif { #expect(ImageHeader.read(one.file(width, height) + [1, 2, 3]) == header) }
    }
  }

  @Test(
    "A file cut off before its size is incomplete, and never has a different size", .shows("control 4"),
    arguments: cases)
  func truncated(_ one: Case) {
    let file = one.file(300, 200)
    let magic = one.format == .webp ? 12 : one.format == .jpeg ? 3 : one.format == .gif ? 6 : 8
    for count in 0..<file.count - one.surplus {
      let reading = ImageHeader.read(Array(file.prefix(count)))
      #expect(reading == (count < magic ? .unknown : .incomplete(one.format)), "\(one), \(count) bytes")
    }
  }

  @Test("Violations of a format are invalid", .shows("control 4"))
  func broken() {
    var files: [(ImageHeader.Format, [UInt8])] = [
      (.png, ImageFiles.png(0, 5)), (.png, ImageFiles.png(5, 0)), (.jpeg, ImageFiles.jpeg(0, 5)),
      (.jpeg, ImageFiles.jpeg(5, 0)), (.webp, ImageFiles.lossyWebP(0, 5)), (.gif, ImageFiles.gif(0, 0)),
      (.jpeg, [0xFF, 0xD8, 0xFF, 0xDA, 0, 2]), (.jpeg, [0xFF, 0xD8, 0xFF, 0xD9]),
      (.jpeg, [0xFF, 0xD8, 0xFF, 0xFE, 0, 1, 0, 0]), (.jpeg, [0xFF, 0xD8, 0xFF, 0xFE, 0, 3, 9, 0xC0, 0]),
      (.jpeg, [0xFF, 0xD8, 0xFF, 0xC0, 0, 7, 8, 0, 1, 0, 1]),
    ]
    var noHeaderChunk = ImageFiles.png(5, 5)
    noHeaderChunk[12] = 0x4A
    var longHeaderChunk = ImageFiles.png(5, 5)
    longHeaderChunk[11] = 14
    var noKeyFrame = ImageFiles.lossyWebP(5, 5)
    noKeyFrame[20] |= 1
    var noStartCode = ImageFiles.lossyWebP(5, 5)
    noStartCode[23] = 0
    var noSignature = ImageFiles.losslessWebP(5, 5)
    noSignature[20] = 0
    var otherVersion = ImageFiles.losslessWebP(5, 5)
    otherVersion[24] |= 0xE0
    var otherChunk = ImageFiles.extendedWebP(5, 5)
    otherChunk[15] = 0x59
    var strangeBlock = ImageFiles.gif(5, 5)
    strangeBlock[19] = 0x22
    files += [
      (.png, noHeaderChunk), (.png, longHeaderChunk), (.webp, noKeyFrame), (.webp, noStartCode), (.webp, noSignature),
      (.webp, otherVersion), (.webp, otherChunk), (.gif, strangeBlock),
    ]
    for (index, (format, file)) in files.enumerated() {
      #expect(ImageHeader.read(file) == .invalid(format), "file \(index)")
    }
  }

  @Test("A GIF is as large as its frames, even if its screen is smaller", .shows("control 4"))
  func frames() {
    let file = ImageFiles.gif(10, 10, frame: (left: 60_000, width: 5000))
    guard case .header(let header) = ImageHeader.read(file) else { return #expect(Bool(false), "no header") }
    #expect(header.width == 65_000 && header.height == 10)
    // Without the end mark, and cut off within the frame's data, the size is known nevertheless.
    for surplus in 1...4 { #expect(ImageHeader.read(Array(file.dropLast(surplus))) == .header(header)) }
  }

  @Test("SVG, HTML, BMP, TIFF and empty files are not accepted as pictures", .shows("control 4"))
  func others() {
    for text in [
      "", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "<?xml?><svg/>", "<html>", "BM\u{1}", "II*\u{0}", "GIF88a",
    ] {
      #expect(ImageHeader.read(Array(text.utf8)) == .unknown)
      #expect(throws: PictureRules.Refusal.format) { try PictureRules.check(Array(text.utf8)) }
    }
  }

  @Test("Changing any byte results in a size or an error, and never traps", .shows("control 4"), arguments: cases)
  func mutated(_ one: Case) {
    let file = one.file(300, 200)
    for index in file.indices {
      for value in [0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF] as [UInt8] {
        var changed = file
        changed[index] = value
        if case .header(let header) = ImageHeader.read(changed) { #expect(header.width > 0 && header.height > 0) }
      }
    }
  }

  @Test(
    "A side over 4096 pixels, a file over a megabyte, and damaged files have separate errors", .shows("control 4"))
  func rules() throws {
    #expect(try PictureRules.check(ImageFiles.png(4096, 4096)).width == 4096)
    #expect(throws: PictureRules.Refusal.pixels(width: 4097, height: 1)) {
      try PictureRules.check(ImageFiles.png(4097, 1))
    }
    // 50 million pixels and one more row in a file of a few bytes; and the largest size of the format.
    #expect(throws: PictureRules.Refusal.pixels(width: 8000, height: 6251)) {
      try PictureRules.check(ImageFiles.jpeg(8000, 6251))
    }
    #expect(throws: PictureRules.Refusal.pixels(width: 0xFFFF_FFFF, height: 0xFFFF_FFFF)) {
      try PictureRules.check(ImageFiles.png(0xFFFF_FFFF, 0xFFFF_FFFF))
    }
    #expect(throws: PictureRules.Refusal.pixels(width: 1 << 24, height: 1 << 24)) {
      try PictureRules.check(ImageFiles.extendedWebP(1 << 24, 1 << 24))
    }
    #expect(throws: PictureRules.Refusal.damaged) { try PictureRules.check(Array(ImageFiles.png(9, 9).dropLast())) }
    let filler = [UInt8](repeating: 0, count: PictureRules.bytes - ImageFiles.png(9, 9).count)
    #expect(try PictureRules.check(ImageFiles.png(9, 9) + filler).height == 9)
    #expect(throws: PictureRules.Refusal.bytes) { try PictureRules.check(ImageFiles.png(9, 9) + filler + [0]) }
  }
}

@Suite("PictureID")
struct PictureIDTests {
  @Test("it consists of 64 lower-case hexadecimal digits, and identifies a picture in an address")
  func form() throws {
    let text = String(repeating: "0a", count: 32)
    #expect(PictureID(digest: [UInt8](repeating: 10, count: 32)).text == text)
    let id = try #require(PictureID(text))
    #expect(AvatarKey("picture-" + text) == .picture(id))
    #expect(AvatarKey.picture(id).path == "/api/v1/avatars/picture-" + text)
    for wrong in ["", String(text.dropLast()), text + "0", text.uppercased(), String(repeating: "g", count: 64)] {
      #expect(PictureID(wrong) == nil && AvatarKey("picture-" + wrong) == nil)
    }
  }
}
