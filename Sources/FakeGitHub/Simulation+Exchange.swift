extension Simulation {
  /// The parts of a request that the simulation reads.
  package struct Request: Sendable {
    package var method: String
    /// Path and query as sent.
    package var target: String
    /// Header fields by lower-case names.
    package var fields: [String: String]
    /// The body.
    package var body: [UInt8]

    package init(method: String = "GET", target: String, fields: [String: String] = [:], body: [UInt8] = []) {
      self.method = method
      self.target = target
      self.fields = fields
      self.body = body
    }
  }

  /// A response, or a dropped connection.
  package struct Answer: Sendable {
    package var status: Int
    /// Header fields by lower-case names.
    package var fields: [String: String] = [:]
    /// The body.
    package var body: [UInt8] = []
    /// The delay before it is sent.
    package var delayMilliseconds = 0
    /// Whether the connection closes instead.
    package var isDropped = false
    /// How the body is sent.
    package var delivery = Delivery.whole

    /// How a body is sent.
    package enum Delivery: Sendable, Equatable {
      /// All of it.
      case whole
      /// Half of the announced length; then the connection closes.
      case cut
      /// The first half, and the rest after this delay.
      case halting(milliseconds: Int)
    }
  }
}
