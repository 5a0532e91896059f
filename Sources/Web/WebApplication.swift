import Chat
import HTTP
import HTTPServer
import Logging

/// Hubbub's API, event stream and pages, as one application for a `Server`.
package struct WebApplication: Application {
  /// All routes.
  package let router: Router

  /// Assembles the routes and reads the browser's files. Throws `WebSetupError` if they cannot be read. `metrics` is
  /// what `/metrics` shows in addition to the request counters created here.
  package init(core: Core, configuration: WebConfiguration, metrics: Metrics = Metrics()) throws {
    var configuration = configuration
    let gitHub: GitHubSetup? =
      if let identity = core.identity, let origin = configuration.signInOrigin {
        GitHubSetup(identity: identity, origin: origin, isTold: configuration.publicBase != nil)
      } else {
        nil
      }
    configuration.offersGitHubSignIn = gitHub != nil
    let flowCookies = FlowCookies(isSecure: configuration.isSecure)
    let cookie = SessionCookie(isSecure: configuration.isSecure, lifetime: Int(AccountRules.sessionLifetime))
    let authentication = Authentication(accounts: core.accounts, cookie: cookie, allowances: core.allowances)
    let assets = try Assets(folder: configuration.publicFolder)
    let languages = try Languages(folder: configuration.templatesFolder)
    let shell = try Shell(configuration: configuration, assets: assets, languages: languages)
    let errorPage = ErrorPage(languages: languages)
    let sessions = SessionAnswers(
      core: core, authentication: authentication, device: DeviceCookie(isSecure: configuration.isSecure),
      log: SecurityLog(logger: configuration.logger))

    var routes = Routes(authentication: authentication)
    routes.use(
      Pipeline(
        host: HostCheck(names: configuration.ownHostNames),
        sameOrigin: SameOrigin(publicOrigin: configuration.publicOrigin),
        errors: ErrorAnswers(clock: core.clock, page: errorPage, logger: configuration.logger),
        compression: Compression(), meter: RequestMeter(metrics)))
    let controllers: [any Controller] = [
      AccountsController(core: core, sessions: sessions), SessionController(core: core, sessions: sessions),
      SessionsController(core: core, sessions: sessions),
      InvitationsController(core: core, publicOrigin: configuration.publicOrigin), UsersController(core: core),
      MeController(core: core, languages: languages, sessions: sessions),
      GitHubLinkController(core: core, setup: gitHub, cookies: flowCookies, sessions: sessions),
      GitHubSignInController(
        core: core, sessions: sessions, setup: gitHub, cookies: flowCookies,
        log: GitHubLog(logger: configuration.logger), errorPage: errorPage),
      DirectoryController(core: core), NewsController(core: core), GitHubThingsController(core: core),
      AvatarsController(core: core), RoomsController(core: core),
      RoomViewController(core: core), MembersController(core: core, log: sessions.log),
      MembershipController(core: core), RoomChangesController(core: core),
      BansController(core: core), PublicRoomsController(core: core), RoomAvatarController(core: core),
      MessagesController(core: core),
      MarksController(core: core), ReceiptsController(core: core),
      TypingController(core: core), EventsController(core: core), SyncController(core: core),
      SearchController(core: core), PushController(core: core), PresenceController(core: core),
      HealthController(core: core), ProblemsController(),
      MetricsController(
        core: core, metrics: metrics, authentication: authentication, readers: configuration.metricsReaders),
      PagesController(shell: shell, authentication: authentication),
      AssetsController(assets: assets), ServiceWorkerController(worker: ServiceWorker(assets: assets)),
    ]
    for controller in controllers { controller.add(to: &routes) }
    let description = OpenAPI.document(routes.described)
    routes.immediatePage("/api/openapi.json") { request in
      Answer.conditional(
        request, bytes: description, fields: [.contentType: "application/json", .cacheControl: "no-cache"])
    }
    router = routes.finished(
      errorPage: errorPage, defaultFields: SecurityHeaders.fields(isSecure: configuration.isSecure)
    ) { error, requestID in
      Problem(error).response(requestID: requestID)
    }
  }

  package func endpoint(for head: RequestHead) -> (endpoint: Endpoint, parameters: [String: String]) {
    router.endpoint(for: head)
  }

  /// The security headers.
  package var defaultFields: Fields { router.defaultFields }

  /// The problem for a request that violates the protocol or a limit.
  package func answer(to error: ProtocolError, requestID: String) -> Response {
    router.answer(to: error, requestID: requestID)
  }
}
