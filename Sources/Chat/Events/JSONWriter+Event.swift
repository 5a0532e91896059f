/// The payloads of events (docs/api.md, Events).
extension JSONWriter {
  /// An event's `data`.
  package mutating func value(_ event: Event) {
    switch event {
    case .messageCreated(let message), .messageUpdated(let message), .messageDeleted(let message):
      value(message)
    case .roomCreated(let room), .roomUpdated(let room):
      value(room)
    case .roomRemoved(let room, let removal):
      value(room, removal)
    case .receiptUpdated(let receipt):
      value(receipt)
    case .userUpdated(let user):
      value(user)
    case .meUpdated(let own):
      value(own, nil)
    case .draftUpdated(let roomID, let draft):
      object { json in
        json.member("room_id", roomID)
        json.member("draft", draft)
      }
    case .reactionChanged(let address, let emoji, let userID, _, let count):
      object { json in
        json.members(of: address)
        json.member("emoji", emoji)
        json.member("user_id", userID)
        json.member("count", count)
      }
    case .pinChanged(let address, let userID, let pinnedAt):
      object { json in
        json.members(of: address)
        json.member("user_id", userID)
        json.member("pinned_at", pinnedAt)
      }
    case .messageHidden(let address):
      object { $0.members(of: address) }
    case .memberUpdated(let roomID, let user, let role, let membersCount):
      object { json in
        json.member("room_id", roomID)
        json.name("user")
        json.value(user)
        json.member("role", role?.rawValue)
        json.member("members_count", membersCount)
      }
    case .roomChanged(let change):
      value(change)
    case .typing(let roomID, let userID, let isTyping):
      object { json in
        json.member("room_id", roomID)
        json.member("user_id", userID)
        json.member("typing", isTyping)
      }
    case .presence(let userID, let isOnline, let lastSeenAt):
      object { json in
        json.member("user_id", userID)
        json.member("online", isOnline)
        json.member("last_seen_at", lastSeenAt)
      }
    case .sessionEnded:
      object { _ in }
    }
  }

  private mutating func members(of address: MessageAddress) {
    member("room_id", address.roomID)
    member("seq", address.seq)
  }
}
