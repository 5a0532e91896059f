/// The things of `API.md` as JSON.
extension JSONWriter {
  /// `user`, with whether he is online now.
  public mutating func value(_ user: User, _ presence: any PresenceReading) {
    object { $0.members(of: user, presence) }
  }

  /// The members of `user`, for objects that are a user and more.
  public mutating func members(of user: User, _ presence: any PresenceReading) {
    member("id", user.id.description)
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
    member("online", presence.isOnline(user.id))
    if let lastSeenAt = user.lastSeenAt, presence.showsLastSeen(user.id) {
      member("last_seen_at", lastSeenAt.description)
    }
  }

  /// One's own `user`, with what nobody else sees.
  public mutating func value(_ own: OwnUser, _ presence: any PresenceReading) {
    object { json in
      json.members(of: own.user, presence)
      json.member("email", own.email)
      json.member("admin", own.isAdmin)
      json.member("has_password", own.hasPassword)
      json.name("settings")
      json.object { json in
        json.member("read_receipts", own.settings.readReceipts)
        json.member("last_seen", own.settings.lastSeen)
        if let language = own.language { json.member("language", language) }
        json.name("do_not_disturb")
        json.value(own.settings.doNotDisturb)
      }
    }
  }

  /// The hours in which a person is told nothing.
  private mutating func value(_ hours: DoNotDisturb) {
    object { json in
      json.member("on", hours.isOn)
      json.member("from", DoNotDisturb.text(hours.from))
      json.member("to", DoNotDisturb.text(hours.to))
      json.member("utc_offset", hours.utcOffset)
    }
  }

  /// `message`.
  public mutating func value(_ message: Message, _ presence: any PresenceReading) {
    object { $0.members(of: message, presence) }
  }

  /// The members of `message`, for objects that are a message and more.
  public mutating func members(of message: Message, _ presence: any PresenceReading) {
    member("room_id", message.roomID.description)
    member("seq", message.seq)
    member("client_id", message.clientID.description)
    name("sender")
    value(message.sender, presence)
    member("text", message.text)
    name("reply_to")
    if let replyTo = message.replyTo { value(replyTo) } else { null() }
    member("created_at", message.createdAt.description)
    member("edited_at", message.editedAt?.description)
    member("deleted_at", message.deletedAt?.description)
    name("forwarded_from")
    if let author = message.forwardedFrom { value(author, presence) } else { null() }
    name("mentions")
    array { json in
      for id in message.mentions { json.value(id.description) }
    }
    if let marks = message.marks { members(of: marks) }
  }

  /// What people have put on a message; where that is nothing, a message in an answer is as in an event.
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
    if let pinnedAt = marks.pinnedAt { member("pinned_at", pinnedAt.description) }
  }

  /// `room`, as its reader sees it.
  public mutating func value(_ room: Room, _ presence: any PresenceReading) {
    object { json in
      json.member("id", room.id.description)
      json.member("kind", room.kind.rawValue)
      json.member("name", room.name)
      json.member("topic", room.topic)
      json.name("peer")
      if let peer = room.peer { json.value(peer, presence) } else { json.null() }
      json.member("public", room.isPublic)
      json.member("avatar_url", room.avatarKey.path)
      json.member("members_count", room.membersCount)
      json.member("role", room.role?.rawValue)
      json.member("muted", room.isMuted)
      json.member("pinned", room.isPinned)
      json.member("hidden", room.isHidden)
      json.member("mention_level", room.mentionLevel.rawValue)
      json.member("last_seq", room.lastSeq)
      json.member("read_seq", room.readSeq)
      json.member("cleared_seq", room.clearedSeq)
      json.member("unread_count", room.unreadCount)
      json.member("mention_count", room.mentionCount)
      json.name("last_message")
      if let message = room.lastMessage { json.value(message, presence) } else { json.null() }
      json.member("draft", room.draft)
      json.member("created_at", room.createdAt.description)
      json.member("updated_at", room.updatedAt.description)
    }
  }

  /// `receipt`.
  public mutating func value(_ receipt: Receipt) {
    object { json in
      json.member("room_id", receipt.roomID.description)
      json.member("user_id", receipt.userID.description)
      json.member("delivered_seq", receipt.deliveredSeq)
      json.member("read_seq", receipt.readSeq)
    }
  }

  /// Writes a member whose value is a string or null.
  public mutating func member(_ name: StaticString, _ text: String?) {
    self.name(name)
    value(text)
  }

  /// Writes a member whose value is a whole number.
  public mutating func member(_ name: StaticString, _ number: Int) {
    self.name(name)
    value(number)
  }

  /// Writes a member whose value is true or false.
  public mutating func member(_ name: StaticString, _ flag: Bool) {
    self.name(name)
    value(flag)
  }
}
