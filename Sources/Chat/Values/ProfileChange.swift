/// A change of a person's profile and settings; nil leaves a member as it is.
package struct ProfileChange: Hashable, Sendable {
  package var firstName: String?
  package var lastName: String?
  package var handle: String?
  /// The language tag; `.some(nil)` uses the browser's preference.
  package var language: String??
  package var readReceipts: Bool?
  package var lastSeen: Bool?
  package var doNotDisturb: DoNotDisturb?
  package var addedBy: UserSettings.AddedBy?

  package init(
    firstName: String? = nil, lastName: String? = nil, handle: String? = nil, language: String?? = nil,
    readReceipts: Bool? = nil, lastSeen: Bool? = nil, doNotDisturb: DoNotDisturb? = nil,
    addedBy: UserSettings.AddedBy? = nil
  ) {
    self.firstName = firstName
    self.lastName = lastName
    self.handle = handle
    self.language = language
    self.readReceipts = readReceipts
    self.lastSeen = lastSeen
    self.doNotDisturb = doNotDisturb
    self.addedBy = addedBy
  }

  /// The person with this change.
  package func applied(to person: OwnUser) -> OwnUser {
    var person = person
    person.user.firstName = firstName ?? person.user.firstName
    person.user.lastName = lastName ?? person.user.lastName
    person.user.handle = handle ?? person.user.handle
    person.language = language ?? person.language
    person.settings.readReceipts = readReceipts ?? person.settings.readReceipts
    person.settings.lastSeen = lastSeen ?? person.settings.lastSeen
    person.settings.doNotDisturb = doNotDisturb ?? person.settings.doNotDisturb
    person.settings.addedBy = addedBy ?? person.settings.addedBy
    return person
  }
}
