import Chat
import HTTP
import HTTPServer

/// `/me`: one's own profile (A4, S6).
struct MeController: Controller {
  let core: Core
  let languages: Languages

  func add(to routes: inout Routes) {
    routes.signedIn(.patch, "/me", bodyLimit: 8 * 1024) { try await update($0) }
    routes.signedIn(.put, "/me/avatar", bodyLimit: PictureUpload.bodyLimit) { try await setPicture($0) }
    routes.signedIn(.delete, "/me/avatar") { try await removePicture($0) }
    routes.signedIn(.put, "/me/email", bodyLimit: 8 * 1024) { try await changeEmail($0) }
    routes.signedIn(.put, "/me/password", bodyLimit: 8 * 1024) { try await changePassword($0) }
  }

  private func update(_ visit: Visit) async throws -> Response {
    var input = try JSONInput(visit.request)
    let firstName = input.text("first_name")
    let lastName = input.text("last_name")
    // Settings that a later client sends are unknown members, and ignored as such.
    var settings = input.object("settings")
    let readReceipts = settings.flag("read_receipts")
    let lastSeen = settings.flag("last_seen")
    let language = settings.text("language")
    if let language, language != Languages.system, languages[language] == nil {
      settings.refuse("language", "unknown", "Hubbub does not speak this language.")
    }
    let doNotDisturb = settings.doNotDisturb("do_not_disturb")
    input.takeErrors(of: settings, in: "settings")
    try input.check()
    var user = try await core.accounts.rename(visit.userID, firstName: firstName, lastName: lastName)
    if readReceipts != nil || lastSeen != nil || doNotDisturb != nil {
      user = try await core.accounts.changeSettings(
        of: visit.userID, readReceipts: readReceipts, lastSeen: lastSeen, doNotDisturb: doNotDisturb)
    }
    if let language {
      user = try await core.accounts.setLanguage(language == Languages.system ? nil : language, of: visit.userID)
    }
    return answer(user, visit)
  }

  private func setPicture(_ visit: Visit) async throws -> Response {
    answer(try await core.accounts.setPicture(PictureUpload.picture(visit.request), of: visit.userID), visit)
  }

  private func removePicture(_ visit: Visit) async throws -> Response {
    answer(try await core.accounts.setPicture(nil, of: visit.userID), visit)
  }

  private func changeEmail(_ visit: Visit) async throws -> Response {
    var input = try JSONInput(visit.request)
    let email = input.text("email") ?? ""
    let password = input.text("password") ?? ""
    try input.check()
    let user = try await core.accounts.changeEmail(
      of: visit.session, to: email, password: password, address: ClientAddress.key(of: visit.request.remoteAddress))
    return answer(user, visit)
  }

  private func changePassword(_ visit: Visit) async throws -> Response {
    var input = try JSONInput(visit.request)
    let current = input.text("current") ?? ""
    let new = input.text("new") ?? ""
    try input.check()
    try await core.accounts.changePassword(
      of: visit.session, from: current, to: new, address: ClientAddress.key(of: visit.request.remoteAddress))
    return Answer.noContent
  }

  private func answer(_ user: OwnUser, _ visit: Visit) -> Response {
    Answer.json { $0.value(user, core.presence(for: visit)) }
  }
}

extension JSONInput {
  /// The hours in which a person is told nothing: all four members, or nil where they are missing or null.
  fileprivate mutating func doNotDisturb(_ name: String) -> DoNotDisturb? {
    guard has(name) else { return nil }
    let known = errors.count
    var hours = object(name)
    // What is no object at all lacks no members.
    guard errors.count == known else { return nil }
    let isOn = hours.flag("on")
    let from = hours.minute("from")
    let to = hours.minute("to")
    let offset = hours.integer("utc_offset")
    if let offset, !DoNotDisturb.offsets.contains(offset) {
      hours.refuse("utc_offset", "invalid", "This must be minutes, from -720 to 840.")
    }
    for (member, isThere) in [
      ("on", isOn != nil), ("from", from != nil), ("to", to != nil), ("utc_offset", offset != nil),
    ]
    where !isThere && !hours.errors.contains(where: { $0.field == member }) {
      hours.refuse(member, "required", "This is required.")
    }
    takeErrors(of: hours, in: name)
    guard hours.errors.isEmpty, let isOn, let from, let to, let offset else { return nil }
    return DoNotDisturb(isOn: isOn, from: from, to: to, utcOffset: offset)
  }

  private mutating func minute(_ name: String) -> Int? {
    guard let text = text(name) else { return nil }
    if let minute = DoNotDisturb.minute(text) { return minute }
    refuse(name, "invalid", "This must be a time of day, such as 22:00.")
    return nil
  }
}
