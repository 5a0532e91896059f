/// The broker's own events, which have no id (docs/api.md, Events).
enum StreamNotice {
  /// The stream is open; its reader has everything up to the id.
  case hello(lastEventID: EventID, serverTime: Timestamp, retryMilliseconds: Int)
  /// A sign of life.
  case ping(serverTime: Timestamp)
  /// The reader must load its state again.
  case reset(reason: String)

  var name: String {
    switch self {
    case .hello: "hello"
    case .ping: "ping"
    case .reset: "reset"
    }
  }

  var data: [UInt8] {
    var json = JSONWriter(capacity: 96)
    json.object { json in
      switch self {
      case .hello(let lastEventID, let serverTime, let retryMilliseconds):
        json.name("last_event_id")
        json.value(lastEventID)
        json.member("server_time", serverTime.description)
        json.member("retry_ms", retryMilliseconds)
      case .ping(let serverTime):
        json.member("server_time", serverTime.description)
      case .reset(let reason):
        json.member("reason", reason)
      }
    }
    return json.bytes
  }
}
