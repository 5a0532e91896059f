import ArgumentParser

/// The program.
@main
struct Hubbub: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hubbub",
    abstract: "Self-hosted web chat for GitHub people: one program, one SQLite file.",
    subcommands: [ServeCommand.self, UserCommand.self],
    defaultSubcommand: ServeCommand.self)
}
