/// What a suspending responder throws to end the connection without any answer, as a server that dies would.
public struct AbandonedRequest: Error {
  /// The wish to end the connection.
  public init() {}
}
