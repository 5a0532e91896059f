/// The id of a person, a room or a session: a UUIDv7 (RFC 9562 section 5.7), so that ids sort by creation time.
///
/// The type parameter prevents a room's id from being passed as a person's. What every module does with ids is
/// inlinable: generic code of another module costs several calls for each comparison.
package struct ID<Subject>: Hashable, Comparable, Sendable {
  /// The first eight bytes, big-endian: 48 bits of milliseconds, the version, 12 random bits.
  package let high: UInt64
  /// The last eight bytes, big-endian: the variant and 62 random bits.
  package let low: UInt64

  /// An id from its two halves, as stored.
  @inlinable
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A new id for something created at `time`; uniqueness rests on 74 bits from `random`.
  package init(at time: Timestamp, using random: inout some RandomNumberGenerator) {
    let milliseconds = UInt64(max(0, time.milliseconds)) & 0xFFFF_FFFF_FFFF
    high = milliseconds << 16 | 0x7000 | UInt64.random(in: 0...0xFFF, using: &random)
    low = 0x8000_0000_0000_0000 | UInt64.random(in: 0...0x3FFF_FFFF_FFFF_FFFF, using: &random)
  }

  /// A new id for something created at `time`, from the system's random source.
  package init(at time: Timestamp) {
    var random = SystemRandomNumberGenerator()
    self.init(at: time, using: &random)
  }

  /// Parses the 8-4-4-4-12 form in either case; nil if `text` is invalid.
  package init?(_ text: some StringProtocol) {
    var text = String(text)
    guard let halves = text.withUTF8(UUIDText.parse) else { return nil }
    self.init(high: halves.high, low: halves.low)
  }

  @inlinable
  package static func == (left: Self, right: Self) -> Bool {
    left.high == right.high && left.low == right.low
  }

  @inlinable
  package func hash(into hasher: inout Hasher) {
    hasher.combine(high)
    hasher.combine(low)
  }

  /// Orders by creation time, then randomly.
  @inlinable
  package static func < (left: Self, right: Self) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

extension ID: CustomStringConvertible {
  /// The id in lower case, 8-4-4-4-12.
  package var description: String {
    String(unsafeUninitializedCapacity: UUIDText.length) { UUIDText.write(high: high, low: low, to: $0) }
  }

  /// Appends the description.
  func append(to bytes: inout [UInt8]) {
    bytes.append(atMost: UUIDText.length) {
      UUIDText.write(high: high, low: low, to: UnsafeMutableBufferPointer(start: $0, count: UUIDText.length))
    }
  }
}

/// The id of a person.
package typealias UserID = ID<User>
/// The id of a room.
package typealias RoomID = ID<Room>
/// The id of a session, which is not its secret.
package typealias SessionID = ID<Session>

/// The type of the sender's id for a message, used until the server has assigned a `seq`: any UUID, unique per sender
/// forever.
package enum ClientMessage {}
/// The id that a sender chose for a message.
package typealias ClientMessageID = ID<ClientMessage>

/// The text form of a UUID (RFC 9562 section 4).
enum UUIDText {
  static let length = 36

  static func parse(_ text: UnsafeBufferPointer<UInt8>) -> (high: UInt64, low: UInt64)? {
    guard text.count == length else { return nil }
    var value: (high: UInt64, low: UInt64) = (0, 0)
    var digits = 0
    var position = 0
    for byte in text {
      if position == 8 || position == 13 || position == 18 || position == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
      } else {
        guard let digit = hexadecimal(byte), digits < 32 else { return nil }
        if digits < 16 { value.high = value.high << 4 | digit } else { value.low = value.low << 4 | digit }
        digits += 1
      }
      position += 1
    }
    return value
  }

  /// Returns `length`.
  static func write(high: UInt64, low: UInt64, to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var position = 0
    for index in 0..<32 {
      if index == 8 || index == 12 || index == 16 || index == 20 {
        buffer[position] = UInt8(ascii: "-")
        position += 1
      }
      let half = index < 16 ? high : low
      let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (index % 16))) & 0xF
      buffer[position] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
      position += 1
    }
    return position
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
