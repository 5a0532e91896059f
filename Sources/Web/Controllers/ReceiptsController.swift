import Chat
import HTTP
import HTTPServer

/// `/rooms/{id}/receipt` and `/receipts`: what members have received and read.
struct ReceiptsController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(
      .put, "/rooms/:room/receipt", "Move my pointers", members: ["delivered_seq", "read_seq", "unread_from"],
      answers: .ok("receipt")
    ) { try await move($0) }
    routes.signedIn(.get, "/rooms/:room/receipts", "How far each member has read", answers: .list("receipt")) {
      try await list($0)
    }
  }

  private func move(_ visit: Visit) async throws -> Response {
    let room: RoomID = try visit.id("room")
    var input = try JSONInput(visit.request)
    let delivered = input.integer("delivered_seq")
    let read = input.integer("read_seq")
    let unreadFrom = input.integer("unread_from")
    if input.errors.isEmpty, unreadFrom != nil, delivered != nil || read != nil {
      input.refuse("unread_from", "invalid", "unread_from cannot be combined with other members.")
    }
    try input.check()
    let receipt: Receipt
    if let unreadFrom {
      receipt = try await core.receipts.markUnread(in: room, of: visit.userID, from: unreadFrom)
    } else {
      receipt = try await core.receipts.move(in: room, of: visit.userID, delivered: delivered, read: read)
    }
    return Answer.json { $0.value(receipt) }
  }

  private func list(_ visit: Visit) async throws -> Response {
    let receipts = try await core.store.receipts(in: visit.id("room"), for: visit.userID)
    var fields = Fields()
    fields.setEventID(receipts.eventID)
    return Answer.entity(visit.request, fields: fields) { json in
      json.array { json in
        for receipt in receipts.value { json.value(receipt) }
      }
    }
  }
}
