extension Simulation {
  /// A request as far as GitHub looks at it.
  public struct Request: Sendable {
    /// The method.
    public var method: String
    /// Path and query as sent.
    public var target: String
    /// Header fields by lower-case names.
    public var fields: [String: String]
    /// The body.
    public var body: [UInt8]

    /// A request from its parts.
    public init(method: String = "GET", target: String, fields: [String: String] = [:], body: [UInt8] = []) {
      self.method = method
      self.target = target
      self.fields = fields
      self.body = body
    }
  }

  /// An answer, or none.
  public struct Answer: Sendable {
    /// The status.
    public var status: Int
    /// Header fields by lower-case names.
    public var fields: [String: String] = [:]
    /// The body.
    public var body: [UInt8] = []
    /// How late it comes.
    public var delayMilliseconds = 0
    /// Whether the connection ends without it.
    public var isDropped = false
    /// How the body comes.
    public var delivery = Delivery.whole

    /// How a body comes.
    public enum Delivery: Sendable, Equatable {
      /// All of it.
      case whole
      /// Half of what its length says; then the connection ends.
      case cut
      /// Half of it, and the rest so much later.
      case halting(milliseconds: Int)
    }
  }
}
