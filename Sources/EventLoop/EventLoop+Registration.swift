import CLinux
import Glibc

extension EventLoop {
  /// Watches `descriptor`, which the caller keeps open until `deregister`. The loop retains `handler`. On the loop.
  /// - Throws: `SystemError` (ENOSPC, ENOMEM).
  package func register(
    _ descriptor: Int32, for interest: Readiness, handler: any EventHandler
  ) throws(SystemError) -> Registration {
    assertCurrent()
    let registration = registrations.add(handler, descriptor: descriptor)
    do throws(SystemError) {
      try control(EPOLL_CTL_ADD, descriptor, interest, registration)
    } catch {
      registrations.remove(registration)
      throw error
    }
    return registration
  }

  /// Changes the events that `registration` requests. On the loop.
  package func update(_ registration: Registration, to interest: Readiness) {
    assertCurrent()
    guard let (_, descriptor) = registrations.find(registration) else { preconditionFailure("not registered") }
    do throws(SystemError) {
      try control(EPOLL_CTL_MOD, descriptor, interest, registration)
    } catch {
      // ENOENT would be a bug; EPOLL_CTL_MOD needs no memory.
      preconditionFailure("\(error)")
    }
  }

  /// Stops watching and drops events already fetched for it. Call it before closing the descriptor. On the loop.
  package func deregister(_ registration: Registration) {
    assertCurrent()
    guard let (_, descriptor) = registrations.find(registration) else { return }
    registrations.remove(registration)
    epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
  }

  private func control(
    _ operation: Int32, _ descriptor: Int32, _ interest: Readiness, _ registration: Registration
  ) throws(SystemError) {
    var event = epoll_event()
    event.events = interest.rawValue
    event.data.u64 = registration.token
    try SystemCall.require("epoll_ctl") { epoll_ctl(epoll, operation, descriptor, &event) }
  }
}
