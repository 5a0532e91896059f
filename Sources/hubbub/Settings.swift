import Chat
import FoundationEssentials
import HTTP
import WebPush

/// An instance's settings. Options override the environment, which overrides the config file.
struct Settings: Equatable {
  /// The source of the GitHub directory.
  enum GitHubSource: Equatable {
    /// api.github.com.
    case live
    /// The built-in stand-in, and peers that answer.
    case demo
    /// The API root of an Enterprise Server, such as `https://github.example.com/api/v3`.
    case url(String)
  }

  var host = "127.0.0.1"
  /// 0 takes any free port.
  var port = 8080
  /// The folder that holds the database and the avatar cache.
  var data = "data"
  var github = GitHubSource.live
  var githubToken: String?
  /// The OAuth application for sign-in; both or neither. The demo has its own.
  var githubClientID: String?
  var githubClientSecret: String?
  /// The address of GitHub's pages, if it does not follow from the API's.
  var githubWeb: String?
  /// The host of GitHub before it moved: its accounts in the data are this GitHub's.
  var githubFormerly: String?
  /// Additional hosts that may serve avatars.
  var githubAvatarHosts: [String] = []
  /// The allowed push services, and the operator's contact for them.
  var pushHosts = PushHosts()
  var pushContact: String?
  var registration = RegistrationMode.open
  var isRateLimited = true
  var streamsPerUser = 32
  /// The trusted proxies. If a public address is set and no proxies are named, those on this machine.
  var trustedProxies: TrustedProxies { namedProxies ?? (publicURL == nil ? TrustedProxies() : .loopback) }
  private var namedProxies: TrustedProxies?
  /// Additional host names, for proxies and health checks.
  var hostNames: [String] = []
  /// The token that `/metrics` accepts as `Authorization: Bearer`, and the networks it may be read from.
  var metricsToken: String?
  var metricsFrom = NetworkList()
  /// The limits of the HTTP server, including `connections` and `connectionsPerAddress`.
  var limits = Limits()
  /// The public address behind a proxy; determines `Secure` cookies and absolute links.
  var publicURL: String?
  /// The folder with `Public` and `Templates`; nil searches beside and above the program.
  var assets: String?
  var logLevel = "notice"

  /// The names of all settings in the config file; with `HUBBUB_` and in upper case, in the environment.
  static let names = [
    "host", "port", "data", "github", "github_token", "github_client_id", "github_client_secret",
    "github_web", "github_formerly", "github_avatar_hosts", "push_hosts", "push_contact", "registration", "rate_limit",
    "streams_per_user",
    "connections",
    "connections_per_address", "limits", "trusted_proxies", "public_url", "host_names", "metrics_token", "metrics_from",
    "assets", "log_level",
  ]

  /// An error in a setting, with what to do about it.
  struct Problem: Error, Equatable, CustomStringConvertible {
    var description: String
  }

  /// Merges the sources. Options and config keys use the names above; throws `Problem` for a wrong or unknown one.
  init(
    options: [String: String] = [:], environment: [String: String] = [:], file: [String: String] = [:]
  ) throws(Problem) {
    if let unknown = file.keys.sorted().first(where: { !Settings.names.contains($0) }) {
      throw Problem(
        description: "The config file has an unknown key \"\(unknown)\". Known are: \(Settings.knownNames).")
    }
    for name in Settings.names {
      let variable = "HUBBUB_" + name.uppercased()
      if let value = options[name] {
        try set(name, to: value, source: "--" + name.replacing("_", with: "-"))
      } else if let value = environment[variable] {
        try set(name, to: value, source: variable)
      } else if let value = file[name] {
        try set(name, to: value, source: "the config file's \"\(name)\"")
      }
    }
    guard (githubClientID == nil) == (githubClientSecret == nil) else {
      throw Problem(
        description: "Signing in with GitHub needs both HUBBUB_GITHUB_CLIENT_ID and HUBBUB_GITHUB_CLIENT_SECRET.")
    }
  }

  private static var knownNames: String { names.joined(separator: ", ") }

  private mutating func set(_ name: String, to value: String, source: String) throws(Problem) {
    switch name {
    case "host": host = try nonEmpty(value, source)
    case "port": port = try number(value, source, 0...65_535)
    case "data": data = try nonEmpty(value, source)
    case "github": github = try Settings.githubSource(value, source)
    case "github_token": githubToken = value.isEmpty ? nil : value
    case "github_client_id": githubClientID = value.isEmpty ? nil : value
    case "github_client_secret": githubClientSecret = value.isEmpty ? nil : value
    case "github_web": githubWeb = try Settings.webAddress(value, source)
    case "github_formerly":
      githubFormerly = try Settings.hosts(value, source).first
      if githubFormerly == "demo" { throw Problem(description: "\(source) is demo, whose people are nobody's.") }
    case "github_avatar_hosts": githubAvatarHosts = try Settings.hosts(value, source)
    case "push_hosts", "push_contact": try setPush(name, to: value, source)
    case "registration":
      guard let mode = RegistrationMode(rawValue: value) else {
        throw Problem(description: "\(source) is \"\(value)\"; it takes open, invite, github or closed.")
      }
      registration = mode
    case "rate_limit":
      guard value == "on" || value == "off" else {
        throw Problem(description: "\(source) is \"\(value)\"; it takes on or off.")
      }
      isRateLimited = value == "on"
    case "streams_per_user": streamsPerUser = try number(value, source, 1...1_000_000)
    case "connections", "connections_per_address": try setLimit(name, to: value, source)
    case "limits": try setLimits(value, source)
    case "trusted_proxies":
      guard let proxies = TrustedProxies(value) else {
        throw Problem(
          description: "\(source) is \"\(value)\"; it takes addresses and networks, such as 127.0.0.1, 10.0.0.0/8, ::1."
        )
      }
      namedProxies = proxies
    case "public_url": publicURL = try Settings.publicAddress(value, source)
    case "host_names": hostNames = try Settings.hosts(value, source)
    case "metrics_token": metricsToken = value.isEmpty ? nil : value
    case "metrics_from":
      guard let networks = NetworkList(value) else {
        throw Problem(
          description: "\(source) is \"\(value)\"; it takes addresses and networks, such as 10.0.0.0/8, ::1.")
      }
      metricsFrom = networks
    case "assets": assets = try nonEmpty(value, source)
    case "log_level": logLevel = try nonEmpty(value, source)
    default: break
    }
  }

  /// `head_seconds=5, idle_seconds=60`.
  private mutating func setLimits(_ value: String, _ source: String) throws(Problem) {
    for member in value.split(whereSeparator: { $0 == "," || $0 == " " }) {
      let parts = member.split(separator: "=", maxSplits: 1)
      let name = String(parts[0])
      guard parts.count == 2, Limits.range(of: name) != nil else {
        throw Problem(
          description: "\(source) has \"\(member)\"; it takes name=number, where a name is one of "
            + "\(Limits.names.joined(separator: ", ")).")
      }
      try setLimit(name, to: String(parts[1]), "\(source)'s \(name)")
    }
  }

  private mutating func setLimit(_ name: String, to value: String, _ source: String) throws(Problem) {
    let number = try number(value, source, Limits.range(of: name) ?? 0...0)
    // `value` is in the limit's range.
    _ = limits.set(name, to: number)
  }

  private func nonEmpty(_ value: String, _ source: String) throws(Problem) -> String {
    guard !value.isEmpty else { throw Problem(description: "\(source) is empty; leave it out or give it a value.") }
    return value
  }

  private func number(_ value: String, _ source: String, _ range: ClosedRange<Int>) throws(Problem) -> Int {
    guard let number = Int(value), range.contains(number) else {
      throw Problem(
        description:
          "\(source) is \"\(value)\"; it takes a whole number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  private static func githubSource(_ value: String, _ source: String) throws(Problem) -> GitHubSource {
    switch value {
    case "live": return .live
    case "demo": return .demo
    default:
      guard let address = try? webAddress(value, source) else {
        throw Problem(
          description: "\(source) is \"\(value)\"; it takes live, demo or the API's address (https://…/api/v3).")
      }
      return .url(address)
    }
  }

  private static func hosts(_ value: String, _ source: String) throws(Problem) -> [String] {
    let hosts = value.split { $0 == "," || $0 == " " }.map { $0.lowercased() }
    let isPlain = hosts.allSatisfy { host in
      host.utf8.allSatisfy {
        ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E
      }
    }
    guard isPlain else {
      throw Problem(description: "\(source) is \"\(value)\"; it takes names of hosts, such as avatars.example.com.")
    }
    return hosts
  }

  /// A public address must be an origin: Hubbub's pages, cookies and links all start at the root.
  private static func publicAddress(_ value: String, _ source: String) throws(Problem) -> String {
    let address = try webAddress(value, source)
    guard let url = URL(string: address), url.path().isEmpty, url.query() == nil, url.fragment() == nil else {
      throw Problem(
        description:
          "\(source) is \"\(value)\"; it takes an address without a path: Hubbub needs a host name of its own.")
    }
    return address
  }

  private static func webAddress(_ value: String, _ source: String) throws(Problem) -> String {
    guard let url = URL(string: value), url.scheme == "https" || url.scheme == "http", url.host()?.isEmpty == false
    else {
      throw Problem(description: "\(source) is \"\(value)\"; it takes an address that begins with https:// or http://.")
    }
    return value.hasSuffix("/") ? String(value.dropLast()) : value
  }
}
