extension Broker {
  /// What came after `after`, waiting up to `wait` for the first event; without `after` at once the id to ask from.
  ///
  /// To be called on lane number `lane` by a task that prefers it; the task's cancellation ends the waiting. Throws
  /// `.rateLimited` beyond the person's streams, `.unauthenticated` if the session ends meanwhile, `.unavailable` when
  /// the server stops, and what the store throws.
  public func poll(
    user: UserID, session: SessionID?, lane index: Int, after: EventID?, wait: Duration, store: any ChatStore
  ) async throws -> SyncAnswer {
    let lane = lanes[index]
    let reader = PollReader<Frame>(user: user, session: session)
    try lane.add(reader)
    defer { lane.remove(reader) }
    try await require(session, of: user, in: store)
    let last = try await store.lastEventID()
    guard let after else { return SyncAnswer(events: [], lastEventID: last, reset: false) }
    guard (0...last).contains(after) else { return SyncAnswer(events: [], lastEventID: last, reset: true) }

    let expiry = context.clock.after(wait) { lane.run { _ in reader.expire() } }
    defer { expiry.cancel() }
    while true {
      try requireOpen(reader)
      reader.prepareToRead()
      let page = try await store.events(after: after, for: user, limit: context.limits.replayEvents)
      guard page.reachesBack else {
        return SyncAnswer(events: [], lastEventID: try await store.lastEventID(), reset: true)
      }
      if !page.events.isEmpty || reader.isOver {
        let hidden = context.hidden
        let events = page.events.map { event in
          LoggedEvent(
            id: event.id, name: event.name, data: MaskedEvent(event, hidden).data(for: user), audience: event.audience)
        }
        return SyncAnswer(events: events, lastEventID: page.readTo, reset: false)
      }
      try requireOpen(reader)
      await withTaskCancellationHandler {
        await reader.news()
      } onCancel: {
        lane.run { _ in reader.expire() }
      }
    }
  }

  /// The broker may have let go of the reader during any `await`.
  private func requireOpen(_ reader: PollReader<Frame>) throws(ChatError) {
    guard !reader.isOpen else { return }
    throw reader.session == nil || context.census.isClosed ? .unavailable("The server is stopping.") : .unauthenticated
  }
}
