import Chat
import GRDB

/// A cache of the members of recently active rooms. Each event of a room goes to all its members; reading thousands of
/// them from the database for each message would delay all writers. Must be used on the writer's thread.
///
/// Code that changes a room's memberships calls `add`, `remove` or `forget`; code that rolls changes back calls `undo`.
final class RoomAudiences {
  /// The maximum number of members cached, over all rooms; when full, the cache is cleared.
  private static let limit = 100_000

  private var audiences: [Int64: [UserID]] = [:]
  private var count = 0
  /// Rooms whose memberships the current transaction has changed.
  private var changed: Set<Int64> = []
  /// Whether all members of a room share read receipts, as far as known.
  private var showsReading: [Int64: Bool] = [:]
  private var hasChangedReading = false

  /// A room's members, as the current transaction sees them.
  func members(of room: Int64, in database: Database) throws -> [UserID] {
    if let known = audiences[room] { return known }
    let members = try database.memberIDs(of: room)
    if count + members.count > Self.limit { forgetAll() }
    audiences[room] = members
    count += members.count
    return members
  }

  /// Whether all members of a room share read receipts, as the current transaction sees them.
  func allShowReading(in room: Int64, of database: Database) throws -> Bool {
    if let known = showsReading[room] { return known }
    let shown = try !database.exists(
      """
      SELECT 1 FROM memberships m JOIN users u ON u.key = m.member WHERE m.room = ? AND u.shows_reading = 0
      """, [room])
    if showsReading.count >= Self.limit { showsReading = [:] }
    showsReading[room] = shown
    return shown
  }

  /// Somebody has changed whether they share read receipts.
  func forgetReading() {
    showsReading = [:]
    hasChangedReading = true
  }

  /// Somebody was let into a room.
  func add(_ member: UserID, to room: Int64) {
    showsReading[room] = nil
    changed.insert(room)
    guard audiences[room]?.append(member) != nil else { return }
    count += 1
  }

  /// Somebody was taken out of a room.
  func remove(_ member: UserID, from room: Int64) {
    showsReading[room] = nil
    changed.insert(room)
    guard let index = audiences[room]?.firstIndex(of: member) else { return }
    audiences[room]?.remove(at: index)
    count -= 1
  }

  /// The memberships of a room have changed.
  func forget(_ room: Int64) {
    showsReading[room] = nil
    count -= audiences.removeValue(forKey: room)?.count ?? 0
    changed.insert(room)
  }

  /// Some changes of this transaction were rolled back, so what was read of changed rooms may be wrong.
  func undo() {
    if hasChangedReading { showsReading = [:] }
    for room in changed { showsReading[room] = nil }
    for room in changed { count -= audiences.removeValue(forKey: room)?.count ?? 0 }
  }

  /// The transaction is committed.
  func keep() {
    changed = []
    hasChangedReading = false
  }

  /// Anything may have changed.
  func forgetAll() {
    (audiences, showsReading) = ([:], [:])
    count = 0
  }
}
