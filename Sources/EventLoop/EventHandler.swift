import CLinux

/// What may be done with a descriptor, or what one wants to hear of.
public struct Readiness: OptionSet, Sendable {
  /// The bits of epoll.
  public let rawValue: UInt32

  /// Bits as epoll gives them.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// There is something to read, or a connection to accept.
  public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
  /// There is room to write.
  public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
  /// The peer has ended its sending side, or has gone.
  public static let peerClosed = Readiness(rawValue: EPOLLRDHUP.rawValue)
  /// The connection is broken. Always reported, never asked for.
  public static let failed = Readiness(rawValue: EPOLLERR.rawValue | EPOLLHUP.rawValue)
}

/// Hears what a loop learns about a descriptor.
public protocol EventHandler: AnyObject {
  /// Called on the loop as long as one of the events that were asked for holds (level-triggered).
  func handle(_ events: Readiness)
}

/// A descriptor's place in a loop's table. The generation tells the present owner of a place from earlier ones, so
/// that an event that was fetched for one descriptor never reaches the next to stand in its place.
public struct Registration: Sendable, Hashable {
  let index: UInt32
  let generation: UInt32

  init(index: UInt32, generation: UInt32) {
    self.index = index
    self.generation = generation
  }

  /// The pair as epoll carries it.
  var token: UInt64 { UInt64(generation) << 32 | UInt64(index) }

  init(token: UInt64) {
    index = UInt32(truncatingIfNeeded: token)
    generation = UInt32(truncatingIfNeeded: token >> 32)
  }
}

/// Who is registered with a loop: places that are used again, each with a generation.
struct RegistrationTable {
  private struct Place {
    var handler: (any EventHandler)?
    var descriptor: Int32
    var generation: UInt32
  }

  private var places: [Place] = []
  private var free: [UInt32] = []

  /// The number of descriptors registered.
  var count: Int { places.count - free.count }

  mutating func add(_ handler: any EventHandler, descriptor: Int32) -> Registration {
    if let index = free.popLast() {
      places[Int(index)].handler = handler
      places[Int(index)].descriptor = descriptor
      return Registration(index: index, generation: places[Int(index)].generation)
    }
    places.append(Place(handler: handler, descriptor: descriptor, generation: 0))
    return Registration(index: UInt32(places.count - 1), generation: 0)
  }

  /// The handler and descriptor of a registration, nil when it was removed.
  func find(_ registration: Registration) -> (handler: any EventHandler, descriptor: Int32)? {
    guard Int(registration.index) < places.count else { return nil }
    let place = places[Int(registration.index)]
    guard place.generation == registration.generation, let handler = place.handler else { return nil }
    return (handler, place.descriptor)
  }

  mutating func remove(_ registration: Registration) {
    let index = Int(registration.index)
    places[index].handler = nil
    places[index].generation &+= 1
    free.append(registration.index)
  }
}
