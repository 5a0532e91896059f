import Chat
import HTTP
import HTTPServer
import Logging

/// Hubbub on the web: the API, the event stream and the pages, as one application for a `Server`.
public struct WebApplication: Application {
  /// All routes.
  public let router: Router

  /// Puts the routes together and reads the browser's files. Throws `WebSetupError` where they cannot be read.
  /// `metrics` is what `/metrics` shows besides the requests, which are counted here.
  public init(core: Core, configuration: WebConfiguration, metrics: Metrics = Metrics()) throws {
    var configuration = configuration
    let gitHub: GitHubSetup? =
      if let identity = core.identity, let origin = configuration.signInOrigin {
        GitHubSetup(identity: identity, origin: origin, isTold: configuration.publicBase != nil)
      } else {
        nil
      }
    configuration.offersGitHubSignIn = gitHub != nil
    let flowCookies = FlowCookies(isSecure: configuration.isSecure)
    let cookie = SessionCookie(isSecure: configuration.isSecure, lifetime: Int(Accounts.sessionLifetime))
    let authentication = Authentication(accounts: core.accounts, cookie: cookie)
    let assets = try Assets(folder: configuration.publicFolder)
    let languages = try Languages(folder: configuration.templatesFolder)
    let shell = try Shell(configuration: configuration, assets: assets, languages: languages)
    let errorPage = ErrorPage(languages: languages)
    let sessions = SessionAnswers(core: core, authentication: authentication)
    let headers = SecurityHeaders(isSecure: configuration.isSecure)

    var routes = Routes(authentication: authentication)
    routes.use(RequestMeter(metrics))
    routes.use(headers)
    routes.use(Compression())
    routes.use(ErrorAnswers(clock: core.clock, page: errorPage, logger: configuration.logger))
    routes.use(SameOrigin(publicOrigin: configuration.publicOrigin))
    let controllers: [any Controller] = [
      AccountsController(core: core, sessions: sessions), SessionController(core: core, sessions: sessions),
      SessionsController(core: core, sessions: sessions),
      InvitationsController(core: core, publicOrigin: configuration.publicOrigin), UsersController(core: core),
      MeController(core: core, languages: languages),
      GitHubLinkController(core: core, setup: gitHub, cookies: flowCookies),
      GitHubSignInController(
        core: core, sessions: sessions, setup: gitHub, cookies: flowCookies,
        log: GitHubLog(logger: configuration.logger), errorPage: errorPage),
      DirectoryController(core: core), NewsController(core: core), GitHubThingsController(core: core),
      AvatarsController(core: core), RoomsController(core: core),
      RoomViewController(core: core), MembersController(core: core), MembershipController(core: core),
      BansController(core: core), PublicRoomsController(core: core), RoomAvatarController(core: core),
      MessagesController(core: core),
      MarksController(core: core), ReceiptsController(core: core),
      TypingController(core: core), EventsController(core: core), SyncController(core: core),
      SearchController(core: core), PushController(core: core), PresenceController(core: core),
      HealthController(core: core), MetricsController(core: core, metrics: metrics, authentication: authentication),
      PagesController(shell: shell, authentication: authentication),
      AssetsController(assets: assets), ServiceWorkerController(worker: ServiceWorker(assets: assets)),
    ]
    for controller in controllers { controller.add(to: &routes) }
    let description = OpenAPI.document(routes.all)
    routes.immediatePage("/api/openapi.json") { request in
      Answer.conditional(
        request, bytes: description, fields: [.contentType: "application/json", .cacheControl: "no-cache"])
    }
    router = routes.finished(errorPage: errorPage) { error, requestID in
      headers.complete(Problem(error).response(requestID: requestID))
    }
  }

  /// The endpoint for a request.
  public func endpoint(for head: RequestHead) -> (endpoint: Endpoint, parameters: [String: String]) {
    router.endpoint(for: head)
  }

  /// The problem that a request is which breaks the protocol or a limit.
  public func answer(to error: ProtocolError, requestID: String) -> Response {
    router.answer(to: error, requestID: requestID)
  }
}
