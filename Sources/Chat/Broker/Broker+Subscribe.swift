extension Broker {
  /// Opens a stream: says `hello`, replays what came after `after`, and goes live. Returns once it is live, or gone.
  ///
  /// To be called on lane number `lane`, where the subscriber lives, by a task that prefers it. Throws only before
  /// anything was delivered: `.rateLimited` beyond the person's streams, `.unauthenticated` if the session ended
  /// meanwhile, what the store throws. A failure later on closes the subscriber, which will resume by its last id.
  ///
  /// Without `after` the stream starts at now. `reset` follows `hello` where the log does not reach back to `after`, or
  /// does not know it yet (a database that was restored).
  public func subscribe(
    _ subscriber: any Subscriber<Frame>, user: UserID, session: SessionID?, lane index: Int, after: EventID?,
    store: any ChatStore
  ) async throws {
    let lane = lanes[index]
    let reader = StreamReader(subscriber, user: user, session: session, limits: context.limits)
    // From here on events wait in the reader's buffer: whatever the lane passed before is in the log that is read below.
    try lane.add(reader)
    do {
      try await require(session, of: user, in: store)
      if reader.isOpen { try await open(reader, after: after, store: store) }
      lane.assertCurrent()
    } catch {
      lane.assertCurrent()
      guard reader.isOpen else { return }
      lane.remove(reader)
      guard reader.hasSaidHello else { throw error }
      subscriber.close(after: nil)
    }
  }

  /// Forgets a stream that has closed; no effect if the broker has forgotten it already. To be called on its lane.
  public func unsubscribe(_ subscriber: any Subscriber<Frame>, lane index: Int) {
    lanes[index].remove(ObjectIdentifier(subscriber))
  }

  /// Looked at after the reader was added: a session that ends later finds it, one that ended before is gone by now.
  func require(_ session: SessionID?, of user: UserID, in store: any ChatStore) async throws {
    guard let session else { return }
    let sessions = try await store.sessions(of: user, at: context.clock.now)
    guard sessions.contains(where: { $0.id == session }) else { throw ChatError.unauthenticated }
  }

  private func open(_ reader: StreamReader<Frame>, after: EventID?, store: any ChatStore) async throws {
    let last = try await store.lastEventID()
    guard reader.isOpen else { return }
    if let after, (0...last).contains(after) {
      return try await replay(reader, after: after, store: store)
    }
    reader.begin(at: last, after == nil ? [hello(last)] : [hello(last), reset("unknown_event_id")])
    // The buffer overflowed while the store was asked: what it dropped is in the log.
    if reader.isOpen, !reader.goLive() { try await follow(reader, store: store) }
  }

  /// Replays what came after `after`, whose first page decides how the stream begins.
  private func replay(_ reader: StreamReader<Frame>, after: EventID, store: any ChatStore) async throws {
    reader.prepareToRead()
    let page = try await store.events(after: after, for: reader.user, limit: context.limits.replayEvents)
    guard reader.isOpen else { return }
    if page.reachesBack {
      reader.begin(at: after, [hello(after)])
      if try await tell(page, to: reader) { return }
    } else {
      let last = try await store.lastEventID()
      guard reader.isOpen else { return }
      reader.begin(at: last, [hello(last), reset("log_trimmed")])
    }
    try await follow(reader, store: store)
  }

  /// Reads the log page by page until its end is reached with a whole buffer, then goes live.
  private func follow(_ reader: StreamReader<Frame>, store: any ChatStore) async throws {
    while reader.isOpen {
      await reader.subscriber.drained()
      // A long replay to a quick subscriber must not keep the lane to itself.
      await Task.yield()
      guard reader.isOpen else { return }
      reader.prepareToRead()
      let page = try await store.events(after: reader.position, for: reader.user, limit: context.limits.replayEvents)
      guard reader.isOpen else { return }
      if page.reachesBack {
        if try await tell(page, to: reader) { return }
      } else {
        // So slow that the log was trimmed under the reader's hands.
        let last = try await store.lastEventID()
        guard reader.isOpen else { return }
        reader.skip(to: last, reset("log_trimmed"))
      }
    }
  }

  /// Delivers a page, in pieces that the subscriber can hold; true if there is no more to do: the stream is live or gone.
  private func tell(_ page: EventReplay, to reader: StreamReader<Frame>) async throws -> Bool {
    guard reader.isOpen else { return true }
    var frames: [Frame] = []
    var bytes = 0
    for event in page.events {
      if bytes + event.data.count > context.limits.replayBytes, !frames.isEmpty {
        reader.replay(frames, to: event.id - 1)
        await reader.subscriber.drained()
        guard reader.isOpen else { return true }
        frames = []
        bytes = 0
      }
      frames.append(context.frame(event, for: reader.user))
      bytes += event.data.count
    }
    reader.replay(frames, to: page.readTo)
    guard reader.isOpen else { return true }
    return page.events.count < context.limits.replayEvents && reader.goLive()
  }

  private func hello(_ last: EventID) -> Frame {
    context.frame(
      .hello(
        lastEventID: last, serverTime: context.clock.now, retryMilliseconds: context.limits.retryMilliseconds))
  }

  private func reset(_ reason: String) -> Frame { context.frame(.reset(reason: reason)) }
}
