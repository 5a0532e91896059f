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
  @Option(help: "A token for GitHub's API; without one GitHub answers 60 requests an hour. Better in the environment.")
  var githubToken: String?
  @Option(
    help: "The client id of the OAuth application by which people sign in; HUBBUB_GITHUB_CLIENT_SECRET goes with it.")
  var githubClientId: String?
  @Option(help: "Where GitHub's pages are, if that does not follow from the API's address.")
  var githubWeb: String?
  @Option(help: "Hosts of pictures besides GitHub's usual ones, with commas between.")
  var githubAvatarHosts: String?
  @Option(help: "Push services besides the browsers' usual ones, with commas between.")
  var pushHosts: String?
  @Option(help: "Where push services reach you, mailto:… or https://…; the public URL unless it is given.")
  var pushContact: String?
  @Option(help: "Who may make an account: open, invite, github or closed (open).")
  var registration: String?
  @Option(help: "on, or off for load tests: the throttles on signing in and up (on).")
  var rateLimit: String?
  @Option(help: "How many event streams one person may hold (32).")
  var streamsPerUser: String?
  @Option(help: "How many connections in all (10000).")
  var connections: String?
  @Option(help: "How many connections from one address (256).")
  var connectionsPerAddress: String?
  @Option(help: "Other limits of the server: name=number, … as in docs/http.md.")
  var limits: String?
  @Option(help: "Proxies whose X-Forwarded-For or Forwarded is believed: addresses and networks with commas between.")
  var trustedProxies: String?
  @Option(help: "The address that people type where a proxy stands in front, such as https://chat.example.com.")
  var publicUrl: String?
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
      ("github_client_id", githubClientId), ("github_web", githubWeb), ("github_avatar_hosts", githubAvatarHosts),
      ("push_hosts", pushHosts), ("push_contact", pushContact), ("registration", registration),
      ("rate_limit", rateLimit), ("streams_per_user", streamsPerUser),
      ("connections", connections), ("connections_per_address", connectionsPerAddress),
      ("limits", limits), ("trusted_proxies", trustedProxies), ("public_url", publicUrl),
      ("assets", assets), ("log_level", logLevel),
    ]
    return Dictionary(uniqueKeysWithValues: given.compactMap { name, value in value.map { (name, $0) } })
  }
}
