extension Broker {
  /// The events after `after`, waiting up to `wait` for the first one. Without `after` returns the current id at once.
  ///
  /// Call it on lane number `lane`, in a task that prefers it; cancelling the task ends the wait. Throws `.tooManyStreams`
  /// beyond the person's limit of streams, `.unauthenticated` if the session ends meanwhile, `.unavailable` if the
  /// server stops, and the store's errors.
  package func poll(
    user: UserID, session: SessionID?, lane index: Int, after: EventID?, wait: Duration, store: any ChatStore
  ) async throws -> SyncAnswer {
    let lane = lanes[index]
    let reader = PollReader(user: user, session: session)
    try lane.add(reader)
    defer { lane.remove(reader) }
    try await require(session, of: user, in: store)
    lane.assertCurrent()
    let last = try await store.lastEventID()
    lane.assertCurrent()
    guard let after else { return SyncAnswer(events: [], lastEventID: last, reset: false) }
    guard (0...last).contains(after) else { return SyncAnswer(events: [], lastEventID: last, reset: true) }

    let expiry = context.clock.after(wait) { lane.run { _ in reader.expire() } }
    defer { expiry.cancel() }
    while true {
      try requireOpen(reader)
      reader.prepareToRead()
      let page = try await store.events(after: after, for: user, limit: context.limits.replayEvents)
      lane.assertCurrent()
      guard page.reachesBack else {
        return SyncAnswer(events: [], lastEventID: try await store.lastEventID(), reset: true)
      }
      if !page.events.isEmpty || reader.isOver {
        return SyncAnswer(events: page.events, lastEventID: page.readTo, reset: false)
      }
      try requireOpen(reader)
      await withTaskCancellationHandler {
        await reader.news()
      } onCancel: {
        lane.run { _ in reader.expire() }
      }
      lane.assertCurrent()
    }
  }

  /// The broker may have removed the reader during any `await`.
  private func requireOpen(_ reader: PollReader) throws(ChatError) {
    guard !reader.isOpen else { return }
    throw reader.session == nil || context.census.isClosed ? .unavailable("The server is stopping.") : .unauthenticated
  }
}
