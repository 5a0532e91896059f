import Chat
import HTTP
import HTTPServer

/// `/sessions`: all sessions of the person.
struct SessionsController: Controller {
  let core: Core
  let sessions: SessionAnswers

  func add(to routes: inout Routes) {
    routes.signedIn(.get, "/sessions", "All my sessions", answers: .list("session")) { try await list($0) }
    routes.signedIn(.delete, "/sessions/:session", "End one of my sessions", answers: .noContent) { try await end($0) }
    routes.signedIn(.delete, "/sessions", "End all my other sessions", answers: .noContent) { try await endOthers($0) }
  }

  private func list(_ visit: Visit) async throws -> Response {
    let all = try await core.accounts.sessions(of: visit.userID)
    return Answer.entity(visit.request, fields: [.cacheControl: "no-store"]) { json in
      json.array { json in
        for session in all {
          json.object { json in
            json.member("id", session.id.description)
            json.member("user_agent", session.userAgent)
            json.member("created_at", session.createdAt.description)
            json.member("expires_at", session.expiresAt.description)
            json.member("last_used_at", session.lastUsedAt.description)
            json.member("current", session.id == visit.session.id)
          }
        }
      }
    }
  }

  private func end(_ visit: Visit) async throws -> Response {
    let id: SessionID = try visit.id("session")
    try await core.accounts.endSession(id, of: visit.userID)
    return id == visit.session.id ? sessions.ended(Answer.noContent) : Answer.noContent
  }

  private func endOthers(_ visit: Visit) async throws -> Response {
    try await core.accounts.endOtherSessions(of: visit.session)
    sessions.log.note(.sessionsEnded, visit.request, user: visit.userID)
    return Answer.noContent
  }
}
