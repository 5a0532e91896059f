import ArgumentParser
import Chat
import ChatSQLite
import EventLoop
import Foundation
import Glibc
import Web

/// The data opened for one operator command; its lock keeps servers out meanwhile.
struct OperatorSession {
  /// The parts a command uses.
  struct Hands: Sendable {
    let store: SQLiteStore
    let accounts: Accounts
  }

  /// Exit codes besides 0 and 64 (`sysexits.h`).
  enum Failure: Int32 {
    /// Invalid input.
    case dataError = 65
    /// Unknown person.
    case noUser = 67
    /// The data cannot be opened or written.
    case cannotOpen = 73
    /// A temporary failure.
    case temporary = 75
    /// Permission was denied.
    case notPermitted = 77
    /// A setting is missing or wrong.
    case configuration = 78
  }

  private let settings: Settings
  private let mayBegin: Bool

  /// A session on the data in `settings`; `mayBegin` creates a missing database.
  init(_ settings: Settings, mayBegin: Bool = false) {
    self.settings = settings
    self.mayBegin = mayBegin
  }

  /// Opens the data, runs the work and closes it. On failure prints one line that says what to do, and throws an exit
  /// code.
  func run<Value: Sendable>(_ work: @escaping @Sendable (Hands) async throws -> Value) throws -> Value {
    umask(0o077)
    let path = settings.data + "/hubbub.sqlite"
    do {
      if mayBegin {
        try FileManager.default.createDirectory(atPath: settings.data, withIntermediateDirectories: true)
      } else if !FileManager.default.fileExists(atPath: path) {
        throw OperatorSession.failure(
          .cannotOpen, "There is no data in \(settings.data). Name its folder with --data.")
      }
      let store = try SQLiteStore(path: path)
      let group = try EventLoopGroup(count: 1)
      group.start()
      defer {
        store.close()
        group.stop()
      }
      let clock = SystemClock(loop: group.loops[0])
      let accounts = Accounts(
        store: store, passwords: ScryptPasswordHasher(), secrets: SHA256Secrets(), presence: Presence(clock: clock),
        clock: clock, throttle: nil, onSessionEnded: { _ in })
      return try blocking { try await work(Hands(store: store, accounts: accounts)) }
    } catch let code as ExitCode {
      throw code
    } catch let error as ChatError {
      throw OperatorSession.failure(error)
    } catch let error as StoreOpenError {
      throw OperatorSession.failure(.cannotOpen, "\(error)")
    } catch {
      throw OperatorSession.failure(
        .cannotOpen, "The data in \(settings.data) cannot be opened: \(error). Check that you may write there.")
    }
  }

  /// Prints why a command failed and returns the exit code to throw.
  static func failure(_ code: Failure, _ message: String) -> ExitCode {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    return ExitCode(code.rawValue)
  }

  /// Prints a warning for the operator; the command continues.
  static func warn(_ message: String) {
    FileHandle.standardError.write(Data((message + "\n").utf8))
  }

  private static func failure(_ error: ChatError) -> ExitCode {
    switch error {
    case .notFound: failure(.noUser, "Nobody here has this address. hubbub user list shows who is here.")
    case .invalid(let errors): failure(.dataError, errors.map(\.detail).joined(separator: " "))
    case .taken(let error): failure(.dataError, error.detail)
    case .conflict(let detail): failure(.dataError, detail)
    case .storageFull: failure(.cannotOpen, "The disk is full; nothing was changed. Make room, then try again.")
    default: failure(.cannotOpen, "Nothing was changed: \(error). Try again.")
    }
  }
}

/// Input typed by a person.
enum Terminal {
  /// A line of standard input without its line end; nil at the end. A terminal shows the prompt and echoes nothing.
  static func readSecret(prompt: String) -> String? {
    guard isatty(STDIN_FILENO) == 1 else { return readLine() }
    var shown = termios()
    tcgetattr(STDIN_FILENO, &shown)
    var hidden = shown
    hidden.c_lflag &= ~tcflag_t(ECHO)
    FileHandle.standardError.write(Data(prompt.utf8))
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
    defer {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
      FileHandle.standardError.write(Data("\n".utf8))
    }
    return readLine()
  }
}
