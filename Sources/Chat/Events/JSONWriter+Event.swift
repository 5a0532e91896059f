/// Events as `API.md` and `docs/api.md` write them.
extension JSONWriter {
  /// An event's `data`.
  public mutating func value(_ event: Event, _ presence: any PresenceReading) {
    switch event {
    case .messageCreated(let message), .messageUpdated(let message), .messageDeleted(let message):
      value(message, presence)
    case .roomCreated(let room), .roomUpdated(let room), .roomRemoved(let room):
      value(room, presence)
    case .receiptUpdated(let receipt):
      value(receipt)
    case .userUpdated(let user):
      value(user, presence)
    case .meUpdated(let own):
      value(own, presence)
    case .draftUpdated(let roomID, let draft):
      object { json in
        json.member("room_id", roomID.description)
        json.member("draft", draft)
      }
    case .reactionChanged(let address, let emoji, let userID, _, let count):
      object { json in
        json.members(of: address)
        json.member("emoji", emoji)
        json.member("user_id", userID.description)
        json.member("count", count)
      }
    case .pinChanged(let address, let userID, let pinnedAt):
      object { json in
        json.members(of: address)
        json.member("user_id", userID.description)
        json.member("pinned_at", pinnedAt?.description)
      }
    case .messageHidden(let address):
      object { $0.members(of: address) }
    case .memberUpdated(let roomID, let user, let role, let membersCount):
      object { json in
        json.member("room_id", roomID.description)
        json.name("user")
        json.value(user, presence)
        json.member("role", role?.rawValue)
        json.member("members_count", membersCount)
      }
    case .typing(let roomID, let userID, let isTyping):
      object { json in
        json.member("room_id", roomID.description)
        json.member("user_id", userID.description)
        json.member("typing", isTyping)
      }
    case .presence(let userID, let isOnline, let lastSeenAt):
      object { json in
        json.member("user_id", userID.description)
        json.member("online", isOnline)
        json.member("last_seen_at", lastSeenAt?.description)
      }
    case .sessionEnded:
      object { _ in }
    }
  }

  private mutating func members(of address: MessageAddress) {
    member("room_id", address.roomID.description)
    member("seq", address.seq)
  }
}
