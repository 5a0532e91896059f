import ArgumentParser
import Chat
import ChatSQLite
import Foundation
import Web

/// `hubbub user`: manages people while no server runs on the data.
struct UserCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "user",
    abstract: "List people, invite one, set somebody's password, or link an account to GitHub.",
    discussion: "The data must not be open in a running server: stop that first.",
    subcommands: [List.self, Invite.self, Password.self, Link.self, Unlink.self])

  /// The location of the data.
  struct Place: ParsableArguments {
    @Option(help: "The folder that holds the database (data).")
    var data: String?
    @Option(help: "The public address, such as https://chat.example.com.")
    var publicUrl: String?
    @Option(help: "A JSON file with these settings, such as {\"data\": \"/var/lib/hubbub\"}.")
    var config: String?

    func settings() throws -> Settings {
      do throws(Settings.Problem) {
        let given: [(String, String?)] = [("data", data), ("public_url", publicUrl)]
        return try Settings(
          options: Dictionary(uniqueKeysWithValues: given.compactMap { name, value in value.map { (name, $0) } }),
          environment: ProcessInfo.processInfo.environment, config: config)
      } catch {
        throw ValidationError(error.description)
      }
    }
  }

  /// `hubbub user list`
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print a line for each account: address, name, role, id; separated by tabs.")
    @OptionGroup var place: Place

    func run() throws {
      let accounts = try OperatorSession(place.settings()).run { try await $0.store.accounts() }
      for account in accounts {
        let fields = [
          account.email ?? "-", account.user.name, account.isAdmin ? "admin" : "member", account.user.id.description,
        ]
        print(fields.joined(separator: "\t"))
      }
    }
  }

  /// `hubbub user invite`
  struct Invite: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print a link for creating accounts; on an empty instance the first account becomes the admin.")
    @OptionGroup var place: Place
    @Option(help: "How many people may use it (1).")
    var uses = 1
    @Option(help: "Days until it expires (7).")
    var days = 7

    func validate() throws {
      guard Invitations.useCounts.contains(uses) else {
        throw ValidationError("--uses takes a number from 1 to 100000.")
      }
      guard (1...365).contains(days) else { throw ValidationError("--days takes a number from 1 to 365.") }
    }

    func run() throws {
      let settings = try place.settings()
      let made = try OperatorSession(settings, mayBegin: true).run { [uses, days] in
        try await $0.accounts.invitations.createForOperator(expiresIn: days * 86_400, maxUses: uses)
      }
      let address = settings.port == 0 ? settings.publicURL : settings.address(port: settings.port)
      print((address ?? "") + InvitationLink.path(made.token))
    }
  }

  /// `hubbub user password`
  struct Password: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Set somebody's password, which is read from standard input, and end all sessions of that person.")
    @OptionGroup var place: Place
    @Argument(help: "The address of the account.")
    var email: String

    func run() throws {
      let session = OperatorSession(try place.settings())
      guard let password = Terminal.readSecret(prompt: "New password: "), !password.isEmpty else {
        throw OperatorSession.failure(.dataError, "Give the new password as a line on standard input.")
      }
      try session.run { [email] in try await $0.accounts.resetPassword(email: email, to: password) }
    }
  }
}
