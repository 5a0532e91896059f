import Chat

/// The model tests compare values by their descriptions: a face equals its person.
extension Face: CustomStringConvertible {
  /// The person.
  public var description: String { "\(user)" }
}

/// Encoded members only repeat the message's other fields.
extension EncodedMembers: CustomStringConvertible {
  /// Nothing.
  public var description: String { "" }
}
