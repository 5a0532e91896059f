import Chat
import HTTP
import HTTPServer

/// `/news`: the feed of GitHub events.
struct NewsController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(
      .get, "/news", "What happens on GitHub, newest first", query: ["page", "limit", "stored"],
      answers: .list("news item"), allowance: .gitHub
    ) { try await show($0) }
  }

  private func show(_ visit: Visit) async throws -> Response {
    let query = QueryInput(visit.request)
    let limit = try query.limit()
    let number = try query.number("page") ?? 1
    // More pages than any feed has; prevents overflow in the multiplication.
    guard (1...1000).contains(number) else {
      throw ChatError.invalid([FieldError(field: "page", code: "invalid", detail: "Pages are counted from 1.")])
    }
    let user = try await core.store.user(visit.userID)
    let identity = user.flatMap { user in
      user.githubID.flatMap { id in user.login.map { GitHubAccount.Identity(id: id, login: $0) } }
    }
    let feed = core.news.feed(for: identity)
    let page =
      query.text("stored") == "1"
      ? try await core.news.storedPage(of: feed, number: number, limit: limit)
      : try await core.news.page(of: feed, number: number, limit: limit)
    var fields = Fields()
    fields.setAge(fetchedAt: page.fetchedAt, failure: page.failure, now: core.clock.now)
    fields.set("hubbub-poll-interval", String(page.pollInterval))
    fields.set("hubbub-feed", feed == .everybody ? "public" : "received")
    if page.hasMore {
      var links = PageLinks(visit.request, replacing: ["page"])
      links.add("next", "page", String(number + 1))
      links.put(into: &fields)
    }
    return Answer.entity(visit.request, fields: fields) { json in
      json.array { json in
        for item in page.items { json.value(item, core.presence(for: visit)) }
      }
    }
  }
}
