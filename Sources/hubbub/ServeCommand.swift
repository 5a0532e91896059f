import ArgumentParser
import FoundationEssentials

/// `hubbub serve`: runs an instance until SIGTERM or SIGINT.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Run Hubbub until SIGTERM or SIGINT.",
    discussion: """
      Every option is also an environment variable (HUBBUB_PORT, HUBBUB_DATA, …) and a key of the config file \
      (port, data, …); an option wins over the environment, and that over the file.
      """)

  @Option(help: "The address to listen on (127.0.0.1); 0.0.0.0 for all.")
  var host: String?
  @Option(help: "The port (8080); 0 takes a free one.")
  var port: String?
  @Option(help: "The folder that holds the database and the avatar cache (data).")
  var data: String?
  @Option(help: "live, demo (a built-in stand-in that needs no network), or the API address of an Enterprise Server.")
  var github: String?
  @Option(
    help: "A token for GitHub's API; without one GitHub allows 60 requests an hour. Better set in the environment.")
  var githubToken: String?
  @Option(
    help: "The client id of the OAuth application for sign-in; requires HUBBUB_GITHUB_CLIENT_SECRET.")
  var githubClientId: String?
  @Option(help: "The address of GitHub's website, if it cannot be derived from the API's.")
  var githubWeb: String?
  @Option(help: "The former host of the Enterprise Server, once, if it has moved to --github.")
  var githubFormerly: String?
  @Option(help: "Additional hosts of avatars, separated by commas.")
  var githubAvatarHosts: String?
  @Option(help: "Additional push services, separated by commas.")
  var pushHosts: String?
  @Option(help: "The contact for push services, mailto:… or https://… (the public URL).")
  var pushContact: String?
  @Option(help: "Who may create an account: open, invite, github or closed (open).")
  var registration: String?
  @Option(help: "on, or off for load tests: the throttles on signing in and up, and people's allowances (on).")
  var rateLimit: String?
  @Option(help: "Event streams one person may have open (32).")
  var streamsPerUser: String?
  @Option(help: "Connections in total (10000).")
  var connections: String?
  @Option(help: "Connections from one address (256).")
  var connectionsPerAddress: String?
  @Option(help: "Other limits of the server: name=number, … as in docs/http.md.")
  var limits: String?
  @Option(
    help:
      "Proxies whose X-Forwarded-For or Forwarded is believed (with a public URL those on this machine): addresses, networks."
  )
  var trustedProxies: String?
  @Option(help: "The public address if a proxy is in front, such as https://chat.example.com.")
  var publicUrl: String?
  @Option(help: "Additional host names that proxies and health checks use, separated by commas.")
  var hostNames: String?
  @Option(help: "Addresses and networks that may read /metrics; HUBBUB_METRICS_TOKEN admits others.")
  var metricsFrom: String?
  @Option(help: "The folder that holds Public and Templates, if it is not beside the program or above it.")
  var assets: String?
  @Option(help: "trace, debug, info, notice, warning, error or critical (notice).")
  var logLevel: String?
  @Option(help: "A JSON file with these settings, such as {\"port\": 8080}.")
  var config: String?

  mutating func run() throws {
    let settings: Settings
    do throws(Settings.Problem) {
      settings = try Settings(
        options: options, environment: ProcessInfo.processInfo.environment, config: config)
    } catch {
      throw ValidationError(error.description)
    }
    try Program(settings).run()
  }

  private var options: [String: String] {
    let given: [(String, String?)] = [
      ("host", host), ("port", port), ("data", data), ("github", github), ("github_token", githubToken),
      ("github_client_id", githubClientId), ("github_web", githubWeb), ("github_formerly", githubFormerly),
      ("github_avatar_hosts", githubAvatarHosts),
      ("push_hosts", pushHosts), ("push_contact", pushContact), ("registration", registration),
      ("rate_limit", rateLimit), ("streams_per_user", streamsPerUser),
      ("connections", connections), ("connections_per_address", connectionsPerAddress),
      ("limits", limits), ("trusted_proxies", trustedProxies), ("public_url", publicUrl),
      ("host_names", hostNames), ("metrics_from", metricsFrom), ("assets", assets), ("log_level", logLevel),
    ]
    return Dictionary(uniqueKeysWithValues: given.compactMap { name, value in value.map { (name, $0) } })
  }
}
