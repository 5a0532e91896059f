import ArgumentParser
import ChatSQLite
import Foundation

/// `hubbub backup`: a copy of the data, also while a server runs on it.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the database into a file, also while Hubbub runs.",
    discussion:
      "The copy is one state of the data, and was looked at before it got its name. An older backup of that name is replaced."
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

/// `hubbub restore`: a backup in place of the data.
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Put a backup in the database's place; what was there is kept beside it.",
    discussion: "Hubbub must not run on the data meanwhile. Browsers read everything anew afterwards.")
  @OptionGroup var place: DataPlace
  @Argument(help: "The backup.", completion: .file())
  var file: String

  func run() throws {
    umask(0o077)
    let database = try place.database()
    try DataPlace.reporting {
      try FileManager.default.createDirectory(atPath: place.settings().data, withIntermediateDirectories: true)
      let restored = try DatabaseRestore.run(file, to: database)
      print("Restored \(restored.summary)")
      if let former = restored.former { print("What was there before is kept as \(former)") }
    }
  }
}

/// `hubbub check`: whether the data is sound.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Look through the whole database, or a backup, also while Hubbub runs.",
    discussion: "Exit code 0: sound. 65: not, with a line for each finding.")
  @OptionGroup var place: DataPlace
  @Argument(help: "A backup to look through instead of the database.", completion: .file())
  var file: String?

  func run() throws {
    umask(0o077)
    let path = try file ?? place.database()
    try DataPlace.reporting {
      let report = try DatabaseCheck.run(path)
      guard report.findings.isEmpty else {
        throw OperatorSession.failure(
          .dataError,
          report.findings.joined(separator: "\n")
            + "\n\(path) is not sound. Restore the newest backup with hubbub restore FILE.")
      }
      if let summary = report.summary { print("Sound: \(summary)") }
    }
  }
}

/// Where the data is, for the commands that look after it.
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

  /// Does the work; a failure is a line that says what to do, and exit code 73.
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
