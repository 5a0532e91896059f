import Chat
import HTTP
import HTTPServer

/// `/me`: the person's own profile.
struct MeController: Controller {
  let core: Core
  let languages: Languages
  let sessions: SessionAnswers

  func add(to routes: inout Routes) {
    routes.signedIn(
      .patch, "/me", "Change my profile", members: ["first_name", "last_name", "handle", "settings"],
      answers: .ok("own user"), bodyLimit: 8 * 1024
    ) { try await update($0) }
    routes.signedIn(
      .put, "/me/avatar", "Give myself a picture: PNG, JPEG, WebP or GIF as the body", answers: .ok("own user"),
      bodyLimit: PictureUpload.bodyLimit, allowance: .pictures
    ) { try await setPicture($0) }
    routes.signedIn(.delete, "/me/avatar", "Remove my picture", answers: .ok("own user"), allowance: .pictures) {
      try await removePicture($0)
    }
    routes.signedIn(
      .put, "/me/email", "Change my address", members: ["email", "password"], answers: .ok("own user"),
      bodyLimit: 8 * 1024
    ) { try await changeEmail($0) }
    routes.signedIn(
      .put, "/me/password", "Change my password and end all my other sessions", members: ["current", "new"],
      answers: .noContent, bodyLimit: 8 * 1024
    ) { try await changePassword($0) }
  }

  private func update(_ visit: Visit) async throws -> Response {
    var input = try JSONInput(visit.request)
    let firstName = input.text("first_name")
    let lastName = input.text("last_name")
    let handle = input.text("handle")
    // Unknown settings, as from later clients, are ignored like all unknown members.
    var settings = input.object("settings")
    let readReceipts = settings.flag("read_receipts")
    let lastSeen = settings.flag("last_seen")
    let language = settings.text("language")
    if let language, language != Languages.system, languages[language] == nil {
      settings.refuse("language", "unknown", "Hubbub is not available in this language.")
    }
    let addedBy = settings.text("added_by").map(UserSettings.AddedBy.init)
    if case .some(nil) = addedBy {
      settings.refuse("added_by", "invalid", "This is everybody, known or nobody.")
    }
    let change = ProfileChange(
      firstName: firstName, lastName: lastName, handle: handle,
      language: language.map { $0 == Languages.system ? nil : $0 }, readReceipts: readReceipts, lastSeen: lastSeen,
      doNotDisturb: settings.doNotDisturb("do_not_disturb"), addedBy: addedBy ?? nil)
    input.takeErrors(of: settings, in: "settings")
    try input.check()
    return answer(try await core.accounts.changeProfile(of: visit.userID, change), visit)
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
    let user = try await sessions.log.watching(visit.request, user: visit.userID) {
      try await core.accounts.changeEmail(
        of: visit.session, to: email, password: password, address: ClientAddress.key(of: visit.request.remoteAddress),
        device: sessions.device.token(of: visit.request.head))
    }
    sessions.log.note(.emailChanged, visit.request, user: visit.userID)
    return answer(user, visit)
  }

  private func changePassword(_ visit: Visit) async throws -> Response {
    var input = try JSONInput(visit.request)
    let current = input.text("current") ?? ""
    let new = input.text("new") ?? ""
    try input.check()
    let token = try await sessions.log.watching(visit.request, user: visit.userID) {
      try await core.accounts.changePassword(
        of: visit.session, from: current, to: new, address: ClientAddress.key(of: visit.request.remoteAddress),
        device: sessions.device.token(of: visit.request.head))
    }
    sessions.log.note(.passwordChanged, visit.request, user: visit.userID)
    var response = Answer.noContent
    sessions.device.set(token, in: &response.fields)
    return response
  }

  private func answer(_ user: OwnUser, _ visit: Visit) -> Response {
    Answer.json { $0.value(user, core.presence(for: visit)) }
  }
}

extension JSONInput {
  /// The do-not-disturb hours: all four members, or nil if the object is missing or null.
  fileprivate mutating func doNotDisturb(_ name: String) -> DoNotDisturb? {
    guard has(name) else { return nil }
    let known = errors.count
    var hours = object(name)
    // Report only the type error when it is not an object.
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
