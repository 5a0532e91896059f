import ArgumentParser

/// Measures what must stay fast, outside of the tests: figures depend on the machine.
@main
struct Benchmarks: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "HubbubBenchmarks", abstract: "Measures Hubbub.",
    subcommands: [SearchBenchmark.self, GroupBenchmark.self])
}
