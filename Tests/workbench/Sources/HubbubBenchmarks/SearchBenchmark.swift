import ArgumentParser
import Chat
import ChatSQLite
import Foundation

/// `search`: how long a search takes among a million messages, by kind of query.
struct SearchBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Times searches in a store of many messages.")

  @Option(
    help: "The database; made, and filled, where it is missing. Without it: a fresh one that is removed at the end.")
  var path: String?

  @Option(help: "How many messages.")
  var messages = 1_000_000

  @Option(help: "How many searches of each kind.")
  var runs = 300

  @Option(help: "How many messages share a commit while the store is filled; 256 is what the program does.")
  var batch = 4096

  @Flag(help: "Only fill the store, for the sends per second.")
  var fillOnly = false

  func run() async throws {
    let path = path ?? FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)").path
    let isNew = !FileManager.default.fileExists(atPath: path)
    var random = SeededNumbers(seed: 4)
    let text = PlausibleText(words: 40_000, using: &random)
    var limits = StoreLimits()
    limits.writesPerCommit = batch
    let store = try SQLiteStore(path: path, limits: limits)
    let world = SearchWorld(store: store, text: text)
    if isNew {
      let rate = try await world.fill(messages, atOnce: 2 * batch, &random)
      print("filled with \(messages) messages, \(Int(rate)) sends/s")
    }
    if !fillOnly { try await measure(world) }
    store.close()
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    print("\(size / 1_000_000) MB")
    if self.path == nil {
      for suffix in ["", "-wal", "-shm", ".lock"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
  }

  private func measure(_ world: SearchWorld) async throws {
    var random = SeededNumbers(seed: 5)
    print("| query | rooms | p50 ms | p99 ms | p99 ms of CPU | hits | stopped early |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for (name, make) in SearchKinds(text: world.text).all {
      for (user, rooms) in [(world.quiet, SearchWorld.roomsOfQuiet), (world.busy, SearchWorld.roomsOfBusy)] {
        var (times, work) = ([Double](), [Double]())
        var (hits, stopped) = (0, 0)
        for _ in 0..<runs {
          let query = try SearchQueryParser.parse(SearchQueryParser.Input(q: make(&random)))
          let (start, worked) = (ContinuousClock.now, Self.processorTime())
          let page = try await world.store.messages(matching: query, for: user, after: nil, limit: 50)
          times.append((ContinuousClock.now - start) / .milliseconds(1))
          work.append(Self.processorTime() - worked)
          hits += page.hits.count
          if page.hits.count < 50, page.next != nil { stopped += 1 }
        }
        times.sort()
        work.sort()
        let last = min(runs - 1, runs * 99 / 100)
        let figures = [times[runs / 2], times[last], work[last]]
        let shown = figures.map { String(format: "%.1f", $0) }.joined(separator: " | ")
        print("| \(name) | \(rooms) | \(shown) | \(hits / runs) | \(stopped * 100 / runs) % |")
      }
    }
  }
}

extension SearchBenchmark {
  /// What the process has used of the processor, in milliseconds: nothing else runs in it while it waits for an answer, so
  /// the difference is the search's, however busy the machine is.
  static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
  }
}

/// The kinds of query, each with what makes one up.
struct SearchKinds {
  let text: PlausibleText

  var all: [(name: String, make: (inout SeededNumbers) -> String)] {
    let text = text
    func words(_ ranks: Range<Int>) -> (inout SeededNumbers) -> String {
      { text.word(rank: Int.random(in: ranks, using: &$0)) + " " }
    }
    return [
      ("a very common word", words(0..<5)),
      ("a common word", words(20..<300)),
      ("a rare word", words(20_000..<40_000)),
      ("a word that is common elsewhere only", { _ in "elsewhere " }),
      ("a word that nobody wrote", { "xq\(UInt32.random(in: 0...UInt32.max, using: &$0))" }),
      (
        "a part of a word",
        { random in
          String(text.word(rank: Int.random(in: 5000..<40_000, using: &random)).dropFirst()) + "x"
        }
      ),
      ("two letters", { PlausibleText.shortWords[Int.random(in: 0..<7, using: &$0)] + " " }),
      ("the beginning of a word, 2 letters", { String(text.word(&$0).prefix(2)) }),
      (
        "the beginning of a word, 4 letters",
        { String(text.word(rank: Int.random(in: 20..<9000, using: &$0)).prefix(4)) }
      ),
      (
        "three common words",
        { random in
          (0..<3).map { _ in text.word(rank: Int.random(in: 0..<60, using: &random)) }.joined(separator: " ") + " "
        }
      ),
      (
        "a phrase of common words",
        { random in
          "\"" + (0..<2).map { _ in text.word(rank: Int.random(in: 0..<40, using: &random)) }.joined(separator: " ")
            + "\""
        }
      ),
      ("one Han character", { String(PlausibleText.han[Int.random(in: 0..<PlausibleText.han.count, using: &$0)]) }),
      (
        "two Han characters",
        { random in
          String((0..<2).map { _ in PlausibleText.han[Int.random(in: 0..<PlausibleText.han.count, using: &random)] })
        }
      ),
      ("Japanese", { PlausibleText.kana[Int.random(in: 0..<9, using: &$0)] }),
      ("Korean", { String(PlausibleText.hangul[Int.random(in: 0..<9, using: &$0)].prefix(2)) }),
      ("an emoji", { PlausibleText.emoji[Int.random(in: 0..<8, using: &$0)] }),
      ("a path", { text.path(&$0) }),
      ("an identifier", { text.identifier(&$0) }),
      ("#123", { "#\(Int.random(in: 1...5000, using: &$0))" }),
      ("a commit's first 7", { String(text.commit(&$0).prefix(7)) }),
      (
        "from: and a common word",
        { random in
          "from:\(text.word(rank: 500 + Int.random(in: 2..<1000, using: &random))) \(text.word(rank: Int.random(in: 0..<9, using: &random))) "
        }
      ),
      ("from: alone", { "from:\(text.word(rank: 500 + Int.random(in: 2..<1000, using: &$0)))" }),
      ("from:me and a rare word", { "from:me \(text.word(rank: Int.random(in: 9000..<40_000, using: &$0)))" }),
      (
        "in: and a common word",
        { random in
          "in:\(text.word(rank: 502 + Int.random(in: 0..<5, using: &random) * 7)) \(text.word(rank: Int.random(in: 0..<9, using: &random))) "
        }
      ),
      (
        "before: and a common word",
        { random in
          "before:2023-\(Int.random(in: 10...12, using: &random))-28 \(text.word(rank: Int.random(in: 0..<300, using: &random))) "
        }
      ),
      ("has:link", { _ in "has:link" }),
    ]
  }
}
