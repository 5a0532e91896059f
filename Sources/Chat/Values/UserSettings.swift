/// What a person has chosen for himself. What is turned off for others is not shown to him either (S6).
public struct UserSettings: Hashable, Sendable {
  /// Whether others see how far he has read.
  public var readReceipts: Bool
  /// Whether others see when he is, and was last, here.
  public var lastSeen: Bool
  /// When he is told nothing.
  public var doNotDisturb: DoNotDisturb

  /// Settings; everything is on unless it is turned off.
  public init(readReceipts: Bool = true, lastSeen: Bool = true, doNotDisturb: DoNotDisturb = DoNotDisturb()) {
    self.readReceipts = readReceipts
    self.lastSeen = lastSeen
    self.doNotDisturb = doNotDisturb
  }

  /// These settings with some of them changed; nil leaves one as it is.
  public func changed(readReceipts: Bool?, lastSeen: Bool?, doNotDisturb: DoNotDisturb?) -> UserSettings {
    UserSettings(
      readReceipts: readReceipts ?? self.readReceipts, lastSeen: lastSeen ?? self.lastSeen,
      doNotDisturb: doNotDisturb ?? self.doNotDisturb)
  }
}
