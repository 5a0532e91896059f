import CLinux

/// The readiness of a descriptor, or the interest in it. Inlinable, since each event of each connection asks.
package struct Readiness: OptionSet, Sendable {
  /// epoll's event bits.
  package let rawValue: UInt32

  @inlinable
  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Data can be read, or a connection accepted: EPOLLIN.
  @inlinable package static var readable: Readiness { Readiness(rawValue: 0x001) }
  /// Data can be written: EPOLLOUT.
  @inlinable package static var writable: Readiness { Readiness(rawValue: 0x004) }
  /// The peer has shut down its sending side, or closed the connection: EPOLLRDHUP.
  @inlinable package static var peerClosed: Readiness { Readiness(rawValue: 0x2000) }
  /// The connection failed: EPOLLERR or EPOLLHUP. Always reported, never requested.
  @inlinable package static var failed: Readiness { Readiness(rawValue: 0x018) }
}

/// Handles a descriptor's events.
package protocol EventHandler: AnyObject {
  /// Called on the loop while a requested event holds (level-triggered).
  func handle(_ events: Readiness)
}

/// A descriptor's slot in a loop's table. The generation distinguishes the slot's owner from earlier ones, so that an
/// event fetched for a removed descriptor never reaches the next one in its slot.
package struct Registration: Sendable, Hashable {
  let index: UInt32
  let generation: UInt32

  init(index: UInt32, generation: UInt32) {
    self.index = index
    self.generation = generation
  }

  /// The pair as epoll's 64 bits of user data.
  var token: UInt64 { UInt64(generation) << 32 | UInt64(index) }

  init(token: UInt64) {
    index = UInt32(truncatingIfNeeded: token)
    generation = UInt32(truncatingIfNeeded: token >> 32)
  }
}

/// A loop's registrations: reusable slots, each with a generation.
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
