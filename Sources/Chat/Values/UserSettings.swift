/// A person's settings. What they hide from others is not shown to them either.
package struct UserSettings: Hashable, Sendable {
  /// Whether others see how far this person has read.
  package var readReceipts: Bool
  /// Whether others see when this person is, and was last, online.
  package var lastSeen: Bool
  package var doNotDisturb: DoNotDisturb
  /// Who may add this person to groups; others send an invitation.
  package var addedBy: AddedBy

  /// Who may add a person to groups.
  package enum AddedBy: String, Hashable, Sendable, CaseIterable {
    case everybody
    /// Those whom the person has written to in a direct chat, and members of a group with them that is not public.
    case known
    case nobody
  }

  /// Settings; everything is on by default.
  package init(
    readReceipts: Bool = true, lastSeen: Bool = true, doNotDisturb: DoNotDisturb = DoNotDisturb(),
    addedBy: AddedBy = .everybody
  ) {
    self.readReceipts = readReceipts
    self.lastSeen = lastSeen
    self.doNotDisturb = doNotDisturb
    self.addedBy = addedBy
  }
}
