import ArgumentParser
import ChatSQLite
import Foundation

/// `hubbub backup`: copies the database, also while a server uses it.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the database into a file, also while Hubbub runs.",
    discussion:
      """
      The copy is one state of the data, and is checked before it gets its name. An older backup of that name is replaced. \
      Until the copy is done the WAL grows by all that is written.
      """
  )
  @OptionGroup var place: DataPlace
  @Argument(help: "The file; or a folder, in which the file is named after the time.", completion: .file())
  var file: String

  func run() throws {
    umask(0o077)
    let database = try place.database()
    try DataPlace.reporting { print("Backed up to \(try DatabaseBackup.make(of: database, at: file))") }
  }
}

/// `hubbub restore`: replaces the database with a backup.
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Replace the database with a backup; the former database is kept beside it.",
    discussion: "Hubbub must not be running on the data. Browsers load everything again afterwards.")
  @OptionGroup var place: DataPlace
  @Argument(help: "The backup.", completion: .file())
  var file: String

  func run() throws {
    umask(0o077)
    let database = try place.database()
    try DataPlace.reporting {
      try FileManager.default.createDirectory(atPath: place.settings().data, withIntermediateDirectories: true)
      let restored = try DatabaseRestore.run(file, to: database)
      for warning in restored.warnings { OperatorSession.warn("The backup is not entirely sound: \(warning)") }
      print("Restored \(restored.summary)")
      if let former = restored.former { print("The former database is kept as \(former)") }
    }
  }
}

/// `hubbub check`: checks the database.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check the whole database, or a backup, even while Hubbub is running.",
    discussion: "Exit code 0: sound. 65: not sound, with a line for each finding.")
  @Flag(help: "Rebuild the search index first; Hubbub must not be running.")
  var repairSearch = false
  @OptionGroup var place: DataPlace
  @Argument(help: "A backup to check instead of the database.", completion: .file())
  var file: String?

  func run() throws {
    umask(0o077)
    let path = try file ?? place.database()
    try DataPlace.reporting {
      if repairSearch { try DatabaseCheck.repairSearch(path) }
      let report = try DatabaseCheck.run(path)
      guard report.findings.isEmpty else {
        throw OperatorSession.failure(
          .dataError,
          report.findings.joined(separator: "\n")
            + "\n\(path) is not sound. "
            + (report.misindexes
              ? "Stop Hubbub and run hubbub check --repair-search."
              : "Restore the newest backup with hubbub restore FILE."))
      }
      if let summary = report.summary { print("Sound: \(summary)") }
    }
  }
}

/// The options that locate the data.
struct DataPlace: ParsableArguments {
  @Option(help: "The folder that holds the database (data).")
  var data: String?
  @Option(help: "A JSON file with these settings, such as {\"data\": \"/var/lib/hubbub\"}.")
  var config: String?

  func settings() throws -> Settings {
    do throws(Settings.Problem) {
      return try Settings(
        options: data.map { ["data": $0] } ?? [:], environment: ProcessInfo.processInfo.environment, config: config)
    } catch {
      throw ValidationError(error.description)
    }
  }

  func database() throws -> String { try settings().data + "/hubbub.sqlite" }

  /// Runs the work; a failure prints one line that says what to do, and exits with 73.
  static func reporting(_ work: () throws -> Void) throws {
    do {
      try work()
    } catch let code as ExitCode {
      throw code
    } catch let error as OperatingError {
      throw OperatorSession.failure(.cannotOpen, error.description)
    } catch let error as StoreOpenError {
      throw OperatorSession.failure(.cannotOpen, error.description)
    } catch {
      throw OperatorSession.failure(.cannotOpen, "\(error)")
    }
  }
}
