import FoundationEssentials
import Glibc
import Synchronization

/// The avatar cache's folder: files under hashed names, of bounded size in all; the least recently used leave first.
///
/// What is in it may vanish or be torn at any time: a file that does not read as it was written counts as missing.
/// Blocking, so not for event loops. Safe from any thread.
final class AvatarFolder: Sendable {
  private struct Entry {
    var size: Int
    var lastUse: Int
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var total = 0
    var uses = 0
    var isLoaded = false
  }

  private let path: String
  private let limit: Int
  private let state = Mutex(State())

  /// A folder at `path`, made when first used, that keeps at most `limit` bytes.
  init(path: String, limit: Int) {
    self.path = path
    self.limit = limit
  }

  /// The file of that name, or nil where there is none that can be trusted; the broken one is removed.
  func read(_ name: String) -> AvatarFile? {
    let isKnown = state.withLock { state in
      load(&state)
      guard state.entries[name] != nil else { return false }
      state.uses += 1
      state.entries[name]?.lastUse = state.uses
      return true
    }
    guard isKnown else { return nil }
    let data = FileManager.default.contents(atPath: path + "/" + name)
    if let file = data.flatMap({ AvatarFile(file: Array($0)) }) { return file }
    remove([name])
    return nil
  }

  /// Keeps `file` under `name`. A reader sees the old file or the new one, whenever the power fails. Failures (a full
  /// disk) are no errors: the picture is merely fetched again.
  func write(_ file: AvatarFile, as name: String) {
    let bytes = file.encoded
    guard bytes.count <= limit else { return }
    let number = state.withLock { state in
      load(&state)
      state.uses += 1
      return state.uses
    }
    let draft = path + "/" + name + ".\(number).new"
    guard (try? Data(bytes).write(to: URL(filePath: draft))) != nil, rename(draft, path + "/" + name) == 0 else {
      unlink(draft)
      return
    }
    let superfluous = state.withLock { state in
      state.total += bytes.count - (state.entries[name]?.size ?? 0)
      state.entries[name] = Entry(size: bytes.count, lastUse: number)
      return Self.superfluous(in: state, limit: limit)
    }
    remove(superfluous)
  }

  private func remove(_ names: [String]) {
    for name in names {
      state.withLock { state in
        if let entry = state.entries.removeValue(forKey: name) { state.total -= entry.size }
      }
      unlink(path + "/" + name)
    }
  }

  /// What must leave, so that the next pictures find a tenth of the room free; nothing while the limit holds.
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

  /// Takes stock of the folder, once: the order of use is that of the files' times, which each revalidation renews.
  private func load(_ state: inout State) {
    guard !state.isLoaded else { return }
    state.isLoaded = true
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    var files: [(name: String, size: Int, time: Int)] = []
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
      var status = stat()
      guard stat(path + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      if name.hasSuffix(".new") {
        unlink(path + "/" + name)
      } else if name.utf8.count == 64 {
        let time = status.st_mtim.tv_sec * 1_000_000 + status.st_mtim.tv_nsec / 1000
        files.append((name, Int(status.st_size), time))
      }
    }
    for file in files.sorted(by: { $0.time < $1.time }) {
      state.uses += 1
      state.entries[file.name] = Entry(size: file.size, lastUse: state.uses)
      state.total += file.size
    }
  }
}
