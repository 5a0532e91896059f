import Chat
import ChatSQLite
import EventLoop
import GitHub
import HTTPServer
import Logging
import Web
import WebPush

extension Instance {
  /// The instance's counters for `/metrics`.
  static func sources(
    server: Server, store: SQLiteStore, directory: GitHubDirectory, push: WebPush
  ) -> Metrics.Source {
    { [weak server] writer in
      if let server { write(server.statistics, into: &writer) }
      write(store.writeStatistics, store.sizes, into: &writer)
      if let free = store.freeBytes {
        writer.single("hubbub_disk_free_bytes", .gauge, "Free space on the disk that holds the database.", free)
      }
      write(directory.quota(), into: &writer)
      write(push.counts, into: &writer)
      let memory = ProcessFigures.memory
      writer.single("hubbub_memory_own_bytes", .gauge, "Anonymous memory: heap and stacks.", memory.own)
      writer.single(
        "hubbub_memory_proportional_bytes", .gauge, "Memory with this process's share of mapped files.",
        memory.proportional)
      writer.single("process_open_fds", .gauge, "Open descriptors.", ProcessFigures.descriptors)
      writer.single("process_cpu_seconds_total", .counter, "CPU time, in seconds.", ProcessFigures.seconds)
    }
  }

  private static func write(_ server: ServerStatistics, into writer: inout MetricsWriter) {
    writer.single("hubbub_connections", .gauge, "Open connections, streams among them.", server.connections)
    writer.single("hubbub_streams", .gauge, "Open event streams.", server.streams)
    writer.single(
      "hubbub_connections_refused_total", .counter, "Connections refused because of a limit.", server.refusedConnections
    )
    writer.single(
      "hubbub_streams_overflowed_total", .counter, "Streams cut because their readers fell behind.",
      server.overflowedStreams)
  }

  private static func write(
    _ store: WriteStatistics, _ sizes: (database: Int, wal: Int), into writer: inout MetricsWriter
  ) {
    writer.single("hubbub_writes_waiting", .gauge, "Writes that wait for the writer.", store.waiting)
    writer.single(
      "hubbub_writing_is_refused", .gauge, "1 while writes are refused because the disk is full.",
      store.refusesWrites ? 1 : 0)
    writer.single("hubbub_commits_failed_total", .counter, "Commits that failed.", store.failures)
    writer.single("hubbub_events_logged_total", .counter, "Events logged.", store.events)
    writer.single(
      "hubbub_commit_seconds_total", .counter, "Total time of commits until they are on disk.", store.seconds)
    writer.family("hubbub_commit_writes", .histogram, "Writes per commit.")
    writer.histogram(
      "hubbub_commit_writes", bounds: WriteStatistics.batchBounds.map(Double.init), counts: store.batches,
      sum: Double(store.writes))
    writer.single("hubbub_database_bytes", .gauge, "The database's size on disk.", sizes.database)
    writer.single("hubbub_wal_bytes", .gauge, "The size of the write-ahead log on disk.", sizes.wal)
  }

  private static func write(_ pushes: WebPush.Counts, into writer: inout MetricsWriter) {
    let name = "hubbub_pushes_total"
    writer.family(name, .counter, "Notifications to push services, by what became of them.")
    writer.sample(name, [("outcome", "accepted")], pushes.accepted)
    writer.sample(name, [("outcome", "gone")], pushes.gone)
    writer.sample(name, [("outcome", "refused")], pushes.refused)
    writer.sample(name, [("outcome", "dropped")], pushes.dropped)
  }

  private static func write(_ quota: GitHubQuota, into writer: inout MetricsWriter) {
    let remaining = "hubbub_github_requests_remaining"
    writer.family(remaining, .gauge, "What GitHub still answers in this period, by resource, as it last told.")
    for reading in quota.readings { writer.sample(remaining, [("resource", reading.resource)], reading.remaining) }
    let limit = "hubbub_github_requests_limit"
    writer.family(limit, .gauge, "What GitHub answers in a period, by resource.")
    for reading in quota.readings { writer.sample(limit, [("resource", reading.resource)], reading.limit) }
    writer.single(
      "hubbub_github_is_limited", .gauge, "1 while GitHub answers nothing because of a limit.",
      quota.limitedUntil == nil ? 0 : 1)
  }
}

extension StoreNotice {
  /// The level at which it is logged.
  var level: Logger.Level {
    switch self {
    case .writingIsRefused: .error
    case .writingResumes: .notice
    case .diskIsTight, .foreignWrite, .searchIndexFailed, .walIsHeld: .warning
    }
  }

  /// The metadata logged with it.
  var metadata: Logger.Metadata {
    switch self {
    case .diskIsTight(let free): ["free": "\(free)"]
    case .searchIndexFailed(let reason): ["reason": "\(reason)"]
    case .walIsHeld(let bytes): ["bytes": "\(bytes)"]
    case .writingIsRefused, .writingResumes, .foreignWrite: [:]
    }
  }
}
