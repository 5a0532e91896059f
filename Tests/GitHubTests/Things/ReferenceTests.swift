import Chat
import TestSupport
import Testing

@testable import GitHub

@Suite("References to GitHub's things")
struct ReferenceTests {
  private static let sites = ["https://github.com"]

  @Test(
    "A short form or an address names its thing; a pull request is found as an issue", .shows("K5"),
    arguments: [
      ("octocat/hello#12", "/github/octocat/hello/issues/12"),
      ("octocat/hello.js#1", "/github/octocat/hello.js/issues/1"),
      ("octocat/hello@ABCDEF0", "/github/octocat/hello/commits/abcdef0"),
      ("octocat/hello", "/github/octocat/hello"),
      ("@octocat", "/people/octocat"),
      ("@ada_acme", "/people/ada_acme"),
      ("https://github.com/octocat", "/people/octocat"),
      ("https://github.com/octocat/hello", "/github/octocat/hello"),
      ("https://GitHub.com/octocat/hello/", "/github/octocat/hello"),
      ("https://github.com/octocat/hello/issues/12", "/github/octocat/hello/issues/12"),
      ("https://github.com/octocat/hello/issues/12#issuecomment-1", "/github/octocat/hello/issues/12"),
      ("https://github.com/octocat/hello/pull/12", "/github/octocat/hello/issues/12"),
      ("https://github.com/octocat/hello/pull/12/files", "/github/octocat/hello/issues/12"),
      ("https://github.com/octocat/hello/pull/12/commits/abcdef0", "/github/octocat/hello/commits/abcdef0"),
      ("https://github.com/octocat/hello/commit/abcdef0?w=1", "/github/octocat/hello/commits/abcdef0"),
      ("https://github.com/octocat/hello/releases/tag/v1.0", "/github/octocat/hello/releases/v1.0"),
      ("https://github.com/octocat/hello/releases/tag/a%2Fb/c", "/github/octocat/hello/releases/a%2Fb%2Fc"),
    ])
  func named(reference: String, path: String) {
    #expect(GitHubAddress(reference: reference, sites: Self.sites)?.path == path)
  }

  private static let commit = String(repeating: "a1", count: 20)

  @Test(
    "An address of a file as of a commit names its lines, at most sixty", .shows("K5"),
    arguments: [
      ("/a.swift#L3", "/a.swift#L3"), ("/a.swift#L3-L7", "/a.swift#L3-L7"), ("/a.swift#L3C2-L7C10", "/a.swift#L3-L7"),
      ("/A%20b/c%23.md?plain=1#L1-L1", "/A%20b/c%23.md#L1"), ("/a%2Cb#L1", "/a%2Cb#L1"), ("/a#L5-L900", "/a#L5-L64"),
    ])
  func lines(written: String, named: String) throws {
    let page = "https://github.com/Octocat/hello/blob/\(Self.commit.uppercased())"
    let address = try #require(GitHubAddress(reference: page + written, sites: Self.sites))
    #expect(address.key == "/github/octocat/hello/blob/\(Self.commit)\(named)")
    #expect(address.gitHubPath == "/Octocat/hello/blob/\(Self.commit)\(named)" && address.path == nil)
  }

  @Test(
    "An address of a file names no lines without a whole commit id, a path within the repository, and numbers",
    .shows("K5"),
    arguments: [
      "/blob/main/a.swift#L3", "/blob/abcdef0/a.swift#L3", "/blob/COMMIT/a.swift", "/blob/COMMIT/a.swift#readme",
      "/blob/COMMIT#L1", "/blob/COMMIT/a.swift#L0", "/blob/COMMIT/a.swift#L7-L3", "/blob/COMMIT/a.swift#L3-",
      "/blob/COMMIT/a.swift#L3-L4-L5", "/blob/COMMIT/a.swift#L-3", "/blob/COMMIT/a.swift#L12345678",
      "/blob/COMMIT/%2E%2E/%2E%2E/user#L1", "/blob/COMMIT/a%2Fb#L1", "/blob/COMMIT/a%00b#L1", "/blob/COMMIT/a%zz#L1",
      "/blob/COMMIT/a.swift#L3Cx", "/tree/COMMIT/a.swift#L3",
    ])
  func noLines(path: String) {
    let page = "https://github.com/octocat/hello" + path.replacing("COMMIT", with: Self.commit)
    #expect(GitHubAddress(reference: page, sites: Self.sites) == nil)
  }

  @Test(
    "Anything else names nothing", .shows("K5"),
    arguments: [
      "", "octocat", "octocat/", "/hello", "a/b/c", "octocat/hello#", "octocat/hello#0", "octocat/hello#-1",
      "octocat/hello#1x", "octocat/hello#9999999999", "octocat/hello@main", "octocat/hello@abc", "octocat/..", "@",
      "@a b", "@a/b", "octo cat/hello#1", "octocat/hello#１", "é/b#1", "https://example.com/octocat/hello",
      "https://github.com.example.com/octocat/hello", "https://github.com@example.com/a/b", "http://github.com/a/b",
      "https://github.com", "https://github.com/", "https://github.com/settings", "https://github.com/orgs/github",
      "https://github.com/octocat/hello/wiki", "https://github.com/octocat/hello/issues",
      "https://github.com/octocat/hello/releases/tag", "https://github.com/octocat/../settings/profile",
      "https://github.com/octocat/hello/releases/tag/a%20b", "javascript://github.com/a/b",
      "https://github.com/" + String(repeating: "a", count: 3000),
    ])
  func unnamed(reference: String) {
    #expect(GitHubAddress(reference: reference, sites: Self.sites) == nil)
  }

  @Test("Addresses belong to this GitHub: an Enterprise Server's own, with the stand-in github.com's too")
  func sites() {
    let enterprise = GitHubConfiguration(base: "https://git.example.com/api/v3").referenceSites
    #expect(GitHubAddress(reference: "https://git.example.com/a/b", sites: enterprise)?.path == "/github/a/b")
    #expect(GitHubAddress(reference: "https://github.com/a/b", sites: enterprise) == nil)
    #expect(GitHubAddress(reference: "a/b", sites: enterprise)?.path == "/github/a/b")
    let demo = GitHubConfiguration(base: "http://127.0.0.1:9").referenceSites
    for site in ["http://127.0.0.1:9", "https://github.com"] {
      #expect(GitHubAddress(reference: site + "/a/b", sites: demo)?.path == "/github/a/b")
    }
    #expect(GitHubConfiguration().referenceSites == ["https://github.com"])
  }
}
