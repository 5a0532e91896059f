import Chat
import GRDB

/// Who is in the rooms in which something happened lately: each event of a room is for all its members, and to read
/// thousands of them from the database for each message would hold all writers up. Confined to the writer's thread.
///
/// Whoever changes a room's memberships calls `forget`; whoever takes changes back calls `undo`.
final class RoomAudiences {
  /// How many members are kept, over all rooms; beyond, all are forgotten.
  private static let limit = 100_000

  private var audiences: [Int64: [UserID]] = [:]
  private var count = 0
  /// Rooms whose memberships the transaction under way has changed.
  private var changed: Set<Int64> = []
  /// Whether all members of a room show what they have read, where that was asked.
  private var showsReading: [Int64: Bool] = [:]
  private var hasChangedReading = false

  /// Who is in a room, as the transaction under way sees it.
  func members(of room: Int64, in database: Database) throws -> [UserID] {
    if let known = audiences[room] { return known }
    let members = try database.memberIDs(of: room)
    if count + members.count > Self.limit { forgetAll() }
    audiences[room] = members
    count += members.count
    return members
  }

  /// Whether everybody in a room shows what he has read, as the transaction under way sees it.
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

  /// Somebody has changed whether he shows what he has read.
  func forgetReading() {
    showsReading = [:]
    hasChangedReading = true
  }

  /// The memberships of a room have changed.
  func forget(_ room: Int64) {
    showsReading[room] = nil
    count -= audiences.removeValue(forKey: room)?.count ?? 0
    changed.insert(room)
  }

  /// Changes of this transaction were taken back, maybe not all: what was read of changed rooms may be wrong.
  func undo() {
    if hasChangedReading { showsReading = [:] }
    for room in changed { showsReading[room] = nil }
    for room in changed { count -= audiences.removeValue(forKey: room)?.count ?? 0 }
  }

  /// The transaction is on disk.
  func keep() {
    changed = []
    hasChangedReading = false
  }

  private func forgetAll() {
    audiences = [:]
    count = 0
  }
}
