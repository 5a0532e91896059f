import Chat
import FoundationEssentials
import Glibc
import Synchronization

/// The avatar cache's folder: files with hashed names and a bounded total size. The least recently used are evicted
/// first.
///
/// A file's modification time records when it was last used, so the order survives a restart. It is accurate to about a
/// minute, because a read should not cost a disk write. Files may disappear or be torn at any time: a file that cannot
/// be verified counts as missing. Blocking, so not for event loops. Safe from any thread.
final class AvatarFolder: Sendable {
  /// How many bytes of pictures are also kept in memory, so that a popular avatar is not read, verified and hashed for
  /// each reader. When full, the memory cache is cleared and refills with what is read next.
  static let memoryBytes = 8 << 20
  /// How far a file's recorded time of use may lag behind, in milliseconds.
  static let usePrecision: Int64 = 60_000

  private struct Entry {
    var size: Int
    /// A counter that orders uses; `notedUse` is the file's modification time.
    var lastUse: Int
    var notedUse: Int64
    var file: AvatarFile?
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var total = 0
    var uses = 0
    var inMemory = 0
    var isLoaded = false
  }

  private let path: String
  private let limit: Int
  private let clock: any ChatClock
  private let state = Mutex(State())

  /// A folder at `path` of at most `limit` bytes, created on first use.
  init(path: String, limit: Int, clock: any ChatClock) {
    self.path = path
    self.limit = limit
    self.clock = clock
  }

  /// The file with this name; nil if it is missing or damaged. A damaged file is removed.
  func read(_ name: String) -> AvatarFile? {
    let now = clock.now.milliseconds
    let (isKnown, remembered, isDue) = state.withLock { state in
      load(&state)
      guard var entry = state.entries[name] else { return (false, nil as AvatarFile?, false) }
      state.uses += 1
      entry.lastUse = state.uses
      let isDue = abs(now - entry.notedUse) >= Self.usePrecision
      if isDue { entry.notedUse = now }
      state.entries[name] = entry
      return (true, entry.file, isDue)
    }
    guard isKnown else { return nil }
    if isDue { setTime(of: path + "/" + name, to: now) }
    if let remembered { return remembered }
    let data = FileManager.default.contents(atPath: path + "/" + name)
    guard let file = data.flatMap({ AvatarFile(file: Array($0)) }) else {
      remove([name])
      return nil
    }
    state.withLock { Self.remember(file, as: name, in: &$0) }
    return file
  }

  /// Stores `file` under `name`. A reader sees either the old or the new file, even after a power failure. Write
  /// failures such as a full disk are ignored: the picture is fetched again.
  func write(_ file: AvatarFile, as name: String) {
    let bytes = file.encoded
    guard bytes.count <= limit else { return }
    let now = clock.now.milliseconds
    let number = state.withLock { state in
      load(&state)
      state.uses += 1
      return state.uses
    }
    let draft = path + "/" + name + ".\(number).new"
    guard Self.create(draft, bytes) else { return }
    setTime(of: draft, to: now)
    guard rename(draft, path + "/" + name) == 0 else {
      unlink(draft)
      return
    }
    let superfluous = state.withLock { state in
      Self.forget(name, in: &state)
      state.total += bytes.count
      state.entries[name] = Entry(size: bytes.count, lastUse: number, notedUse: now)
      Self.remember(file, as: name, in: &state)
      return Self.superfluous(in: state, limit: limit)
    }
    remove(superfluous)
  }

  private func remove(_ names: [String]) {
    for name in names {
      state.withLock { Self.forget(name, in: &$0) }
      unlink(path + "/" + name)
    }
  }

  private static func forget(_ name: String, in state: inout State) {
    guard let entry = state.entries.removeValue(forKey: name) else { return }
    state.total -= entry.size
    if entry.file != nil { state.inMemory -= entry.size }
  }

  private static func remember(_ file: AvatarFile, as name: String, in state: inout State) {
    guard let entry = state.entries[name], entry.file == nil else { return }
    if state.inMemory + entry.size > memoryBytes {
      for name in state.entries.keys { state.entries[name]?.file = nil }
      state.inMemory = 0
    }
    state.entries[name]?.file = file
    state.inMemory += entry.size
  }

  /// The files to evict so that a tenth of the limit is free; none while the total is within the limit.
  private static func superfluous(in state: State, limit: Int) -> [String] {
    guard state.total > limit else { return [] }
    var total = state.total
    var names: [String] = []
    for (name, entry) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
      if total <= limit - limit / 10 { break }
      total -= entry.size
      names.append(name)
    }
    return names
  }

  /// Reads the folder's contents once. The folder is private to the server's user, because it shows who looks at whom.
  private func load(_ state: inout State) {
    guard !state.isLoaded else { return }
    state.isLoaded = true
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    chmod(path, 0o700)
    var files: [(name: String, size: Int, time: Int64)] = []
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
      var status = stat()
      guard stat(path + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      if name.hasSuffix(".new") {
        unlink(path + "/" + name)
      } else if name.utf8.count == 64 {
        let time = Int64(status.st_mtim.tv_sec) * 1000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
        files.append((name, Int(status.st_size), time))
      }
    }
    for file in files.sorted(by: { $0.time < $1.time }) {
      state.uses += 1
      state.entries[file.name] = Entry(size: file.size, lastUse: state.uses, notedUse: file.time)
      state.total += file.size
    }
  }

  /// Creates a file that only its owner can read.
  private static func create(_ path: String, _ bytes: [UInt8]) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    let isWhole = bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let count = Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return false }
        written += count
      }
      return true
    }
    guard close(descriptor) == 0, isWhole else {
      unlink(path)
      return false
    }
    return true
  }

  private func setTime(of path: String, to milliseconds: Int64) {
    let time = timespec(tv_sec: Int(milliseconds / 1000), tv_nsec: Int(milliseconds % 1000) * 1_000_000)
    utimensat(AT_FDCWD, path, [time, time], 0)
  }
}
