import Base
import Chat
import TestSupport
import Testing
@testable import ChatTesting

@Suite("ID")
struct IDTests {
  @Test("is a UUIDv7 that round-trips as text, in either case")
  func roundTrip() throws {
    var random = SeededRandom(seed: 2)
    for _ in 0..<2000 {
      let time = Timestamp(milliseconds: .random(in: 0..<(1 << 48), using: &random))
      let id = UserID(at: time, using: &random)
      let text = id.description
      #expect(text.utf8.count == 36)
      #expect(Array(text)[14] == "7")
      #expect("89ab".contains(Array(text)[19]))
      #expect(id.high >> 16 == UInt64(time.milliseconds))
      #expect(UserID(text) == id)
      #expect(UserID(text.uppercased()) == id)
    }
  }

  @Test("sorts by creation time, also as text")
  func order() {
    var random = SeededRandom(seed: 3)
    let ids = (0..<500).map { RoomID(at: Timestamp(milliseconds: Int64($0) * 1_000_003), using: &random) }
    #expect(ids.shuffled(using: &random).sorted() == ids)
    #expect(ids.map(\.description).sorted() == ids.map(\.description))
  }

  @Test("differs for two created at the same time, and treats times before 1970 as 1970")
  func uniqueness() {
    let time = Timestamp(milliseconds: -5)
    let ids = Set((0..<1000).map { _ in UserID(at: time) })
    #expect(ids.count == 1000)
    #expect(ids.allSatisfy { $0.high >> 16 == 0 })
  }

  @Test(
    "refuses invalid UUIDs",
    arguments: [
      "", "0190", "01900000-0000-7000-8000-00000000000", "01900000-0000-7000-8000-0000000000000",
      "01900000-0000-7000-8000-00000000000g", "019000000000-7000-8000-000000000000",
      "01900000+0000-7000-8000-000000000000",
      "01900000000070008000000000000000", "0190000--0000-7000-8000-000000000000",
      "01900000-0000-7000-8000-00000000000é",
    ])
  func refuses(text: String) {
    #expect(UserID(text) == nil)
  }
}

@Suite("AvatarKey")
struct AvatarKeyTests {
  @Test(
    "round-trips as text",
    arguments: [
      AvatarKey.github(id: 583_231), .initials(colour: 7, letters: "AL"), .initials(colour: 0, letters: ""),
      .initials(colour: 11, letters: "-É"),
    ])
  func roundTrip(key: AvatarKey) {
    #expect(AvatarKey(key.description) == key)
  }

  @Test(
    "refuses invalid keys",
    arguments: [
      "", "github", "github-", "github-x", "github--1", "initials-12-AL", "initials-7", "initials-7-ALX", "other-7-AL",
      "../github-1",
    ])
  func refuses(text: String) {
    #expect(AvatarKey(text) == nil)
  }

  @Test("follows from the person: GitHub's picture, otherwise initials on the id's colour")
  func ofPeople() {
    let linked = User(id: id(1), login: "octocat", githubID: 583_231, firstName: "Octo")
    #expect(linked.avatarKey.path == "/api/v1/avatars/github-583231")
    let own = User(id: ID(high: 0, low: 25), firstName: "ada", lastName: "lovelace")
    #expect(own.avatarKey.path == "/api/v1/avatars/initials-1-AL")
    #expect(own.name == "ada lovelace")
    #expect(User(id: id(2), firstName: "Ada").name == "Ada")
  }

  @Test("is percent-encoded in its path")
  func encoding() {
    #expect(AvatarKey.initials(colour: 3, letters: "É/").path == "/api/v1/avatars/initials-3-%C3%89%2F")
    #expect(PercentEncoding.encode("aZ9-._~ ?#%") == "aZ9-._~%20%3F%23%25")
  }
}
