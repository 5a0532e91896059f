/// Makes up messages as a team of programmers writes them: words by Zipf's law, code, paths, numbers, four scripts.
struct PlausibleText {
  private let words: [String]
  /// The sum of weights up to each word.
  private let weights: [Double]

  static let shortWords = ["CI", "go", "ok", "PR", "UI", "db", "k8"]
  static let han = Array("我们今天修复了服务器的搜索问题请看一下这个提交代码测试通过明天发布新版本谢谢大家会议时间地点项目计划完成数据库文件")
  static let kana = ["テスト", "サーバー", "検索", "ありがとう", "お願いします", "東京都", "確認しました", "コミット", "修正"]
  static let hangul = ["안녕하세요", "서버", "검색", "감사합니다", "테스트를", "확인했습니다", "배포", "회의", "한국어"]
  static let emoji = ["👍", "🎉", "🚀", "😀", "👀", "❤️", "🙏🏽", "👩‍💻"]
  static let folders = ["Sources", "Tests", "Public", "docs", "Chat", "Web", "HTTP", "Store", "views", "models"]

  /// `count` words made of syllables; the first few are the commonest of English.
  init(words count: Int, using random: inout SeededNumbers) {
    let known = "the to and of is in it for that on with this be not have you are we can".split(separator: " ")
    let (heads, tails) = (Array("bcdfghjklmnprstvwz"), Array("aeiou"))
    var words = known.map(String.init)
    var seen = Set(words)
    while words.count < count {
      var word = ""
      for _ in 0..<Int.random(in: 2...4, using: &random) {
        word.append(heads[Int.random(in: 0..<heads.count, using: &random)])
        word.append(tails[Int.random(in: 0..<tails.count, using: &random)])
        if random.chance(300) { word.append(heads[Int.random(in: 0..<heads.count, using: &random)]) }
      }
      if seen.insert(word).inserted { words.append(word) }
    }
    self.words = words
    var sum = 0.0
    weights = words.indices.map { index in
      sum += 1 / (Double(index) + 2)
      return sum
    }
  }

  /// The word of this rank, 0 being the commonest.
  func word(rank: Int) -> String { words[min(rank, words.count - 1)] }

  func word(_ random: inout SeededNumbers) -> String {
    let wanted = Double.random(in: 0..<(weights.last ?? 1), using: &random)
    var (low, high) = (0, weights.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if weights[middle] <= wanted { low = middle + 1 } else { high = middle }
    }
    return words[low]
  }

  /// A name as programs have them.
  func identifier(_ random: inout SeededNumbers) -> String {
    let parts = (0..<2).map { _ in word(rank: Int.random(in: 20..<4000, using: &random)) }
    return random.chance(500) ? parts.joined(separator: "_") : parts[0] + parts[1].capitalizedFirst
  }

  func path(_ random: inout SeededNumbers) -> String {
    let folders = (0..<2).map { _ in PlausibleText.folders[Int.random(in: 0..<10, using: &random)] }
    let file = word(rank: Int.random(in: 20..<4000, using: &random)).capitalizedFirst
    return folders.joined(separator: "/") + "/\(file).swift"
  }

  func commit(_ random: inout SeededNumbers) -> String {
    (0..<5).map { _ in String(UInt32.random(in: 0x1000_0000...UInt32.max, using: &random), radix: 16) }.joined()
  }

  /// A message; `mark` is a word that stands in it.
  func message(mark: String?, _ random: inout SeededNumbers) -> String {
    if random.chance(40) { return foreign(&random) }
    var pieces = (0..<Int.random(in: 2...18, using: &random)).map { _ in word(&random) }
    pieces[0] = pieces[0].capitalizedFirst
    func add(_ piece: String, _ random: inout SeededNumbers) {
      pieces.insert(piece, at: Int.random(in: 0...pieces.count, using: &random))
    }
    if let mark { add(mark, &random) }
    if random.chance(60) { add(identifier(&random), &random) }
    if random.chance(30) { add("`\(path(&random))`", &random) }
    if random.chance(40) { add("#\(Int.random(in: 1...5000, using: &random))", &random) }
    if random.chance(15) { add(commit(&random), &random) }
    if random.chance(40) { add(PlausibleText.shortWords[Int.random(in: 0..<7, using: &random)], &random) }
    if random.chance(50) { add(PlausibleText.emoji[Int.random(in: 0..<8, using: &random)], &random) }
    if random.chance(20) {
      add("https://example.org/\(word(&random))/\(Int.random(in: 1...999, using: &random))", &random)
    }
    return pieces.joined(separator: " ") + "."
  }

  private func foreign(_ random: inout SeededNumbers) -> String {
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      return String(
        (0..<Int.random(in: 4...20, using: &random)).map { _ in
          PlausibleText.han[Int.random(in: 0..<PlausibleText.han.count, using: &random)]
        })
    case 1: return (0..<3).map { _ in PlausibleText.kana[Int.random(in: 0..<9, using: &random)] }.joined(separator: "、")
    default:
      return (0..<3).map { _ in PlausibleText.hangul[Int.random(in: 0..<9, using: &random)] }.joined(separator: " ")
    }
  }
}

extension String {
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
