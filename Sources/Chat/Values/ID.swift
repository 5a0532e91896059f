/// The name of a person, a room or a session: a UUIDv7 (RFC 9562 section 5.7), so that ids sort by the time of birth.
///
/// The type parameter keeps a room's id from being passed where a person's is meant.
public struct ID<Subject>: Hashable, Comparable, Sendable {
  /// The first eight bytes, big-endian: 48 bits of milliseconds, the version, 12 random bits.
  public let high: UInt64
  /// The last eight bytes, big-endian: the variant and 62 random bits.
  public let low: UInt64

  /// An id from its two halves, as a store keeps it.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A new id for something born at `time`; uniqueness rests on 74 bits from `random`.
  public init(at time: Timestamp, using random: inout some RandomNumberGenerator) {
    let milliseconds = UInt64(max(0, time.milliseconds)) & 0xFFFF_FFFF_FFFF
    high = milliseconds << 16 | 0x7000 | UInt64.random(in: 0...0xFFF, using: &random)
    low = 0x8000_0000_0000_0000 | UInt64.random(in: 0...0x3FFF_FFFF_FFFF_FFFF, using: &random)
  }

  /// A new id for something born at `time`, from the system's random source.
  public init(at time: Timestamp) {
    var random = SystemRandomNumberGenerator()
    self.init(at: time, using: &random)
  }

  /// The id that `text` writes in the 8-4-4-4-12 form in either case, or nil.
  public init?(_ text: some StringProtocol) {
    guard let halves = UUIDText.parse(text) else { return nil }
    self.init(high: halves.high, low: halves.low)
  }

  /// Order by time of birth, then by chance.
  public static func < (left: Self, right: Self) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

extension ID: CustomStringConvertible {
  /// The id in lower case, 8-4-4-4-12.
  public var description: String { UUIDText.format(high: high, low: low) }
}

/// The id of a person.
public typealias UserID = ID<User>
/// The id of a room.
public typealias RoomID = ID<Room>
/// The id of a session, which is not its secret.
public typealias SessionID = ID<Session>

/// What the sender calls a message before the server has numbered it: any UUID, unique for each sender for good.
public enum ClientMessage {}
/// The id that a sender chose for a message.
public typealias ClientMessageID = ID<ClientMessage>

/// The text form of a UUID (RFC 9562 section 4).
enum UUIDText {
  static func parse(_ text: some StringProtocol) -> (high: UInt64, low: UInt64)? {
    var value: (high: UInt64, low: UInt64) = (0, 0)
    var digits = 0
    var position = 0
    for byte in text.utf8 {
      if position == 8 || position == 13 || position == 18 || position == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
      } else {
        guard let digit = hexadecimal(byte), digits < 32 else { return nil }
        if digits < 16 { value.high = value.high << 4 | digit } else { value.low = value.low << 4 | digit }
        digits += 1
      }
      position += 1
    }
    return position == 36 ? value : nil
  }

  static func format(high: UInt64, low: UInt64) -> String {
    String(unsafeUninitializedCapacity: 36) { buffer in
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
