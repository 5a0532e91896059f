import ArgumentParser

@main
struct Hubbub: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hubbub",
    abstract: "Self-hosted web chat for GitHub people: one program, one SQLite file.",
    subcommands: [
      ServeCommand.self, UserCommand.self, BackupCommand.self, RestoreCommand.self, CheckCommand.self,
    ],
    defaultSubcommand: ServeCommand.self)
}
