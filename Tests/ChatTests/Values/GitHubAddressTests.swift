import Chat
import TestSupport
import Testing

@Suite("Addresses of GitHub objects")
struct GitHubAddressTests {
  @Test("A repository's name contains only characters that are valid in an address", .shows("N3", "control 10"))
  func names() throws {
    for text in ["o/r", "O-o_9/r.x-_9", "a/.github", "a/..."] { #expect(RepositoryName(text)?.text == text) }
    for text in [
      "", "o", "o/", "/r", "o/r/x", "o/..", "o/.", "o.x/r", "o/r s", "o/r?x", "o/r#", "ö/r", "o/%2e",
      "o/" + String(repeating: "x", count: 101),
    ] {
      #expect(RepositoryName(text) == nil, "\(text)")
    }
    let name = try #require(RepositoryName("Ada/Engine"))
    #expect(name.isSame(as: try #require(RepositoryName("ada/ENGINE"))) && name.owner == "Ada" && name.name == "Engine")
  }

  @Test("Each thing has a path here and at GitHub, and one key whatever the case of its names", .shows("N3"))
  func places() throws {
    let name = try #require(RepositoryName("Ada/Engine"))
    let places: [(GitHubAddress, String, String, String)] = [
      (.repository(name), "/github/Ada/Engine", "/Ada/Engine", "/github/ada/engine"),
      (.issue(name, number: 5), "/github/Ada/Engine/issues/5", "/Ada/Engine/issues/5", "/github/ada/engine/issues/5"),
      (.pull(name, number: 5), "/github/Ada/Engine/pulls/5", "/Ada/Engine/pull/5", "/github/ada/engine/pulls/5"),
      (
        .release(name, tag: "V1/a b"), "/github/Ada/Engine/releases/V1%2Fa%20b",
        "/Ada/Engine/releases/tag/V1/a%20b", "/github/ada/engine/releases/V1%2Fa%20b"
      ),
      (
        .commit(name, sha: "abc"), "/github/Ada/Engine/commits/abc", "/Ada/Engine/commit/abc",
        "/github/ada/engine/commits/abc"
      ),
      (.person(login: "Ada[bot]"), "/people/Ada%5Bbot%5D", "/Ada%5Bbot%5D", "/people/ada%5bbot%5d"),
    ]
    for (address, path, gitHubPath, key) in places {
      #expect(address.path == path && address.gitHubPath == gitHubPath && address.key == key)
    }
    #expect(GitHubAddress.person(login: "x").repository == nil && GitHubAddress.repository(name).repository == name)
  }

  @Test("A thing knows its address, unless its repository's name is invalid in one", .shows("N3"))
  func things() throws {
    var thing = GitHubThing(kind: .pull, repository: "o/r")
    #expect(thing.address == nil)
    thing.number = 5
    #expect(thing.address?.path == "/github/o/r/pulls/5")
    thing.kind = .issue
    #expect(thing.address?.path == "/github/o/r/issues/5")
    thing.kind = .release
    #expect(thing.address == nil)
    thing.ref = "v1"
    #expect(thing.address?.path == "/github/o/r/releases/v1")
    thing.kind = .commit
    #expect(thing.address?.path == "/github/o/r/commits/v1")
    thing.kind = .repository
    #expect(thing.address?.path == "/github/o/r")
    thing.repository = "nonsense"
    #expect(thing.address == nil)
  }
}
