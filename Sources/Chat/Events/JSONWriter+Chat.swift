/// The entities of the API as JSON.
extension JSONWriter {
  /// `user` with presence as one viewer may see it; for responses about people.
  package mutating func value(_ user: User, _ presence: PresenceView) {
    object { $0.members(of: user, presence) }
  }

  /// The members of `user` with presence, for objects that add further members.
  package mutating func members(of user: User, _ presence: PresenceView) {
    members(of: user)
    member("online", presence.isOnline(user.id))
    if let lastSeenAt = user.lastSeenAt, presence.showsLastSeen(user.id) {
      member("last_seen_at", lastSeenAt)
    }
  }

  /// `user` without presence; for durable events and within rooms.
  package mutating func value(_ user: User) {
    object { $0.members(of: user) }
  }

  private mutating func members(of user: User) {
    member("id", user.id)
    if let login = user.login { member("login", login) }
    if let githubID = user.githubID {
      name("github_id")
      value(githubID)
    }
    member("first_name", user.firstName)
    member("last_name", user.lastName)
    member("name", user.name)
    member("handle", user.handle)
    member("avatar_url", user.avatarKey.path)
    member("member", user.isMember)
  }

  /// `face`, encoded once per version of the person.
  package mutating func value(_ face: Face) { raw(face.json) }

  /// `face`, or null.
  package mutating func value(_ face: Face?) {
    if let face { value(face) } else { null() }
  }

  /// The person's own `user`, with the fields only they can see. Presence is left out of events.
  package mutating func value(_ own: OwnUser, _ presence: PresenceView?) {
    object { json in
      if let presence { json.members(of: own.user, presence) } else { json.members(of: own.user) }
      json.member("email", own.email)
      json.member("admin", own.isAdmin)
      json.member("has_password", own.hasPassword)
      json.name("settings")
      json.object { json in
        json.member("read_receipts", own.settings.readReceipts)
        json.member("last_seen", own.settings.lastSeen)
        json.member("added_by", own.settings.addedBy.rawValue)
        if let language = own.language { json.member("language", language) }
        json.name("do_not_disturb")
        json.value(own.settings.doNotDisturb)
      }
    }
  }

  /// The do-not-disturb hours.
  private mutating func value(_ hours: DoNotDisturb) {
    object { json in
      json.member("on", hours.isOn)
      json.member("from", DoNotDisturb.text(hours.from))
      json.member("to", DoNotDisturb.text(hours.to))
      json.member("utc_offset", hours.utcOffset)
    }
  }

  /// `message`.
  package mutating func value(_ message: Message) {
    object { $0.members(of: message) }
  }

  /// The members of `message`, for objects that add further members.
  package mutating func members(of message: Message) {
    if message.encoded.bytes.isEmpty { ownMembers(of: message) } else { rawMembers(message.encoded.bytes) }
    name("sender")
    value(message.sender)
    name("forwarded_from")
    value(message.forwardedFrom)
    if let marks = message.marks { members(of: marks) }
  }

  /// All members of a message except people, reactions and pin. They are encoded when the message is written, and
  /// stored with it.
  package mutating func ownMembers(of message: Message) {
    member("room_id", message.roomID)
    member("seq", message.seq)
    member("client_id", message.clientID)
    member("text", message.text)
    name("reply_to")
    if let replyTo = message.replyTo { value(replyTo) } else { null() }
    member("created_at", message.createdAt)
    member("edited_at", message.editedAt)
    member("deleted_at", message.deletedAt)
    name("mentions")
    array { json in
      for id in message.mentions { json.value(id) }
    }
  }

  /// Reactions and the pin. A message without them looks the same in responses and events.
  private mutating func members(of marks: MessageMarks) {
    if !marks.reactions.isEmpty {
      name("reactions")
      array { json in
        for reaction in marks.reactions {
          json.object { json in
            json.member("emoji", reaction.emoji)
            json.member("count", reaction.count)
            json.member("mine", reaction.isMine)
          }
        }
      }
    }
    if let pinnedAt = marks.pinnedAt { member("pinned_at", pinnedAt) }
  }

  /// `room`, as its reader sees it; with `removal` how the reader was taken out.
  package mutating func value(_ room: Room, _ removal: Removal? = nil) {
    object { json in
      json.members(of: room)
      guard let removal else { return }
      json.name("removed_by")
      json.value(removal.by)
      json.member("banned", removal.isBan)
    }
  }

  /// The members of `room`, for objects that add further members.
  package mutating func members(of room: Room) {
    member("id", room.id)
    member("kind", room.kind.rawValue)
    member("name", room.name)
    member("topic", room.topic)
    name("peer")
    if let peer = room.peer { value(peer) } else { null() }
    member("public", room.isPublic)
    member("repository", room.repository?.text)
    member("avatar_url", room.avatarKey.path)
    member("members_count", room.membersCount)
    member("role", room.role?.rawValue)
    member("muted", room.isMuted)
    member("pinned", room.isPinned)
    member("hidden", room.isHidden)
    member("mention_level", room.mentionLevel.rawValue)
    member("last_seq", room.lastSeq)
    member("read_seq", room.readSeq)
    member("cleared_seq", room.clearedSeq)
    member("cleared_change", Int(room.clearedChange))
    member("unread_count", room.unreadCount)
    member("mention_count", room.mentionCount)
    name("last_message")
    if let message = room.lastMessage { value(message) } else { null() }
    member("draft", room.draft)
    member("created_at", room.createdAt)
    member("updated_at", room.updatedAt)
  }

  /// What a change of a room's own properties keeps in the log, once for all its members.
  package mutating func change(of room: Room) {
    object { json in
      json.member("name", room.name)
      json.member("topic", room.topic)
      json.member("public", room.isPublic)
      json.member("repository", room.repository?.text)
      json.member("picture", room.picture?.text)
    }
  }

  /// `room` as a logged change tells it to one reader: what is the reader's own is from event `eventID`.
  package mutating func value(_ room: Room, asOf eventID: EventID) {
    object { json in
      json.members(of: room)
      json.member("event_id", Int(eventID))
    }
  }

  /// `change`.
  package mutating func value(_ change: RoomChange) {
    object { json in
      json.member("id", Int(change.id))
      json.member("room_id", change.roomID)
      json.member("at", change.at)
      json.member("kind", change.kind.rawValue)
      json.name("by")
      json.value(change.by)
      if let user = change.user {
        json.name("user")
        json.value(user)
      }
      if let text = change.text { json.member("text", text) }
      if let seq = change.messageSeq { json.member("message_seq", seq) }
    }
  }

  /// `receipt`.
  package mutating func value(_ receipt: Receipt) {
    object { json in
      json.member("room_id", receipt.roomID)
      json.member("user_id", receipt.userID)
      json.member("delivered_seq", receipt.deliveredSeq)
      json.member("read_seq", receipt.readSeq)
    }
  }

  /// Writes a member whose value is a string or null.
  package mutating func member(_ name: StaticString, _ text: String?) {
    self.name(name)
    value(text)
  }

  /// Writes a member whose value is an id.
  package mutating func member<Subject>(_ name: StaticString, _ id: ID<Subject>) {
    self.name(name)
    value(id)
  }

  /// Writes a member whose value is a time, or null.
  package mutating func member(_ name: StaticString, _ time: Timestamp?) {
    self.name(name)
    if let time { value(time) } else { null() }
  }

  /// Writes a member whose value is a whole number.
  package mutating func member(_ name: StaticString, _ number: Int) {
    self.name(name)
    value(number)
  }

  /// Writes a member whose value is true or false.
  package mutating func member(_ name: StaticString, _ flag: Bool) {
    self.name(name)
    value(flag)
  }
}
