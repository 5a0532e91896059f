import Base

extension Broker {
  /// Opens a stream: sends `hello`, replays the events after `after`, and goes live. Returns once it is live or closed.
  ///
  /// Call it on the subscriber's lane, number `lane`, in a task that prefers it. Throws only before anything was
  /// delivered: `.tooManyStreams` beyond the person's limit of streams, `.unauthenticated` if the session ended meanwhile,
  /// or the store's errors. A later failure closes the subscriber, which then resumes from its last id.
  ///
  /// Without `after` the stream starts at the current event. `reset` follows `hello` if the log no longer reaches back
  /// to `after`, or does not contain it yet (a restored database).
  package func subscribe(
    _ subscriber: any Subscriber, user: UserID, session: SessionID?, lane index: Int, after: EventID?,
    store: any ChatStore
  ) async throws {
    let lane = lanes[index]
    let reader = StreamReader(subscriber, user: user, session: session, limits: context.limits) { [weak self] reader in
      guard let self else { return }
      lanes[index].start { await self.readOn(reader, self.lanes[index], store: store) }
    }
    // From here on events are buffered for the reader; everything the lane delivered before is in the log, which is
    // read below.
    try lane.add(reader)
    do {
      try await require(session, of: user, in: store)
      if reader.isOpen { try await open(reader, after: after, store: store) }
      lane.assertCurrent()
    } catch {
      if !fail(reader, lane) { throw error }
    }
  }

  /// A live stream was told that there is something of its own in the log.
  private func readOn(_ reader: StreamReader, _ lane: BrokerLane, store: any ChatStore) async {
    do {
      try await Asker.$current.withValue(reader.user) { try await follow(reader, store: store) }
    } catch {
      _ = fail(reader, lane)
    }
  }

  /// The log could not be read. Closes a stream that has begun; false if it has not.
  private func fail(_ reader: StreamReader, _ lane: BrokerLane) -> Bool {
    lane.assertCurrent()
    guard reader.isOpen else { return true }
    lane.remove(reader)
    guard reader.hasSaidHello else { return false }
    reader.subscriber.close(after: nil)
    return true
  }

  /// Removes a stream that has closed; does nothing if the broker has removed it already. Call it on the stream's lane.
  package func unsubscribe(_ subscriber: any Subscriber, lane index: Int) {
    lanes[index].remove(ObjectIdentifier(subscriber))
  }

  /// Checked after the reader was added: a session that ends later finds the reader, one that ended before is gone from
  /// the store.
  func require(_ session: SessionID?, of user: UserID, in store: any ChatStore) async throws {
    guard let session else { return }
    let sessions = try await store.sessions(of: user, at: context.clock.now)
    guard sessions.contains(where: { $0.id == session }) else { throw ChatError.unauthenticated }
  }

  private func open(_ reader: StreamReader, after: EventID?, store: any ChatStore) async throws {
    let last = try await store.lastEventID()
    guard reader.isOpen else { return }
    if let after, (0...last).contains(after) {
      return try await replay(reader, after: after, store: store)
    }
    reader.begin(at: last, after == nil ? [hello(last)] : [hello(last), reset("unknown_event_id")])
    // The buffer overflowed during the query; the dropped events are in the log.
    if reader.isOpen, !reader.goLive() { try await follow(reader, store: store) }
  }

  /// Replays the events after `after`; the first page decides how the stream starts.
  private func replay(_ reader: StreamReader, after: EventID, store: any ChatStore) async throws {
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

  /// Reads the log page by page until its end is reached without a buffer overflow, then goes live.
  private func follow(_ reader: StreamReader, store: any ChatStore) async throws {
    while reader.isOpen {
      await reader.subscriber.drained()
      // A long replay to a fast subscriber must not block the lane.
      await Task.yield()
      guard reader.isOpen else { return }
      reader.prepareToRead()
      let page = try await store.events(after: reader.position, for: reader.user, limit: context.limits.replayEvents)
      guard reader.isOpen else { return }
      if page.reachesBack {
        if try await tell(page, to: reader) { return }
      } else {
        // The reader was so slow that the log was trimmed past its position.
        let last = try await store.lastEventID()
        guard reader.isOpen else { return }
        reader.skip(to: last, reset("log_trimmed"))
      }
    }
  }

  /// Delivers a page, in pieces that the subscriber can hold. Returns true when the stream is live or closed.
  private func tell(_ page: EventReplay, to reader: StreamReader) async throws -> Bool {
    guard reader.isOpen else { return true }
    var frames: [SharedBytes] = []
    var bytes = 0
    for event in page.events {
      if bytes + event.data.count > context.limits.replayBytes, !frames.isEmpty {
        reader.replay(frames, to: event.id - 1)
        await reader.subscriber.drained()
        guard reader.isOpen else { return true }
        frames = []
        bytes = 0
      }
      frames.append(context.frame(event))
      bytes += event.data.count
    }
    reader.replay(frames, to: page.readTo)
    guard reader.isOpen else { return true }
    return !page.hasMore && reader.goLive()
  }

  private func hello(_ last: EventID) -> SharedBytes {
    context.frame(
      .hello(
        lastEventID: last, serverTime: context.clock.now, retryMilliseconds: context.limits.retryMilliseconds))
  }

  private func reset(_ reason: String) -> SharedBytes { context.frame(.reset(reason: reason)) }
}
