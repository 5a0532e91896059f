/// The most common passwords of at least 8 characters: a list, and common words with the usual endings, a few thousand
/// in all.
enum CommonPasswords {
  static func contains(_ password: String) -> Bool {
    let folded = password.lowercased()
    return list.contains(folded) || isOneCharacter(folded) || isRun(folded) || isWordWithEnding(folded)
  }

  /// `aaaaaaaa`.
  private static func isOneCharacter(_ text: String) -> Bool { Set(text.unicodeScalars).count == 1 }

  /// `12345678`, `abcdefgh`, `87654321`.
  private static func isRun(_ text: String) -> Bool {
    let values = text.unicodeScalars.map { Int($0.value) }
    let steps = Set(zip(values, values.dropFirst()).map { $1 - $0 })
    return steps == [1] || steps == [-1]
  }

  /// `summer2024!`.
  private static func isWordWithEnding(_ text: String) -> Bool {
    endings.contains { text.hasSuffix($0) && words.contains(text.dropLast($0.count)) }
  }

  /// The number of refused passwords of at least 8 characters, not counting runs and repetitions.
  static var count: Int {
    list.count + words.reduce(0) { sum, word in sum + endings.count { word.count + $0.count >= 8 } }
  }

  private static let endings: Set<String> = [
    "", "1", "2", "3", "7", "11", "12", "13", "21", "22", "23", "69", "77", "88", "99", "00", "01", "007", "111", "123",
    "321", "666", "777", "1234", "4321", "12345", "123456", "!", "1!", "12!", "123!", "@123", "2020", "2021", "2022",
    "2023", "2024", "2025", "2026", "2024!", "2025!", "2026!",
  ]

  private static let words = Set(
    """
    abc abcd abcdef abcxyz access admin administrator alexander always amanda america andreas andrew android angel
    anna anthony apple april arsenal asdf asdfgh ashley audi august autumn azerty baby backup bailey banana barcelona
    bart baseball basketball batman bayern bear benjamin berlin bitcoin black blessed blue bonjour brasil brother
    business buster butter butterfly california camaro canada changeme charlie cheese cheetah chelsea cherry china
    chocolate christ christian cisco coffee company computer cookie cooper corvette cowboy cowboys cracker crystal
    daisy dancer daniel darling daughter december default deutschland diamond doggie dollar dolphin donald dortmund
    dragon eagle eagles elizabeth eminem england facebook faith falcon family father february ferrari florida flower
    football forever fortnite france freedom freitag friday fussball gamer garfield george germany ginger gitarre
    golden google green guest guitar hacker hallo hamburg hannah hans happy harley heaven hello herbst hockey hola
    homer honda honey horse hunter iloveyou india instagram internet iphone januar january jennifer jessica jesus
    jonathan jordan joshua julia juventus kawasaki killer kitten kitty knight lakers letmein lightning lily linkedin
    lion liverpool login london love lovely lover loveyou lucky madrid maggie manager manchester march maria martin
    master matrix matthew melissa mercedes metallica mexico michael michelle mickey microsoft minecraft monday money
    monkey montag mother muenchen music mustang mysql nicholas nicole ninja nintendo nirvana nissan nothing november
    october office oracle orange panther paris pass passwd password passwort patrick peace pepper peter phoenix pirate
    platinum player playstation pokemon porsche princess private pumpkin puppy purple pwd qaz qazwsx qwer qwerty
    qwertz rabbit ranger rangers rapper red richard robert rockstar root rose russia sales samantha samsung samurai
    sandra saturday schalke scooby sebastian secret september server service shadow silver simpson sister slipknot
    smile snoopy soccer soldier something sommer sparky spiderman spring startrek starwars steelers stefan stephanie
    strawberry summer sunday sunshine superman support sweet sweetie system test tester testing texas thomas thunder
    thursday tiger tigger toyota trustno tuesday twitter user victoria warrior wednesday welcome whatever white
    william willkommen windows winter wizard wolf wsx yamaha yankees yellow youtube zxcv zxcvbn
    """.split { $0 == " " || $0 == "\n" })

  private static let list: Set<String> = [
    "password", "password1", "password12", "password123", "password1234", "passw0rd", "p@ssword", "p@ssw0rd",
    "1234567890", "0123456789", "0987654321", "123123123", "12341234", "11223344", "112233445566", "1q2w3e4r",
    "1q2w3e4r5t", "1qaz2wsx", "1qazxsw2", "zaq12wsx", "qwertyui", "qwertyuiop", "qwerty12", "qwerty123", "qwerty1234",
    "qwer1234", "asdfghjk", "asdfghjkl", "asdf1234", "zxcvbnm1", "q1w2e3r4", "abcd1234", "abc12345", "a1b2c3d4",
    "aa123456", "123456789a", "a123456789", "iloveyou", "iloveyou1", "sunshine", "sunshine1", "princess", "princess1",
    "football", "football1", "baseball", "baseball1", "basketball", "superman", "batman123", "spiderman", "pokemon123",
    "trustno1", "letmein1", "letmein123", "welcome1", "welcome123", "whatever", "starwars", "dragon123", "monkey123",
    "shadow123", "master123", "michael1", "jennifer", "michelle", "jordan23", "computer", "internet", "samsung1",
    "liverpool", "chocolate", "butterfly", "changeme", "changeme1", "administrator", "admin123", "admin1234",
    "adminadmin", "root1234", "rootroot", "testtest", "test1234", "testing123", "default1", "guest123", "secret123",
    "mypassword", "passpass", "pass1234", "q1w2e3r4t5", "1111aaaa", "87654321a", "10101010", "12121212", "147258369",
    "159357456", "789456123", "741852963", "963852741", "correcthorsebatterystaple",
  ]
}
