import Chat
import HTTP
import HTTPServer

/// `/avatars/<key>`: pictures from Hubbub's own cache, uploaded ones, and drawn initials.
struct AvatarsController: Controller {
  let core: Core

  func add(to routes: inout Routes) {
    routes.signedIn(
      .get, "/avatars/:key", "A picture; s is its size in pixels", query: ["s"], answers: .media("image/*")
    ) { try await show($0) }
  }

  private func show(_ visit: Visit) async throws -> Response {
    guard let key = visit.request.parameters["key"].flatMap({ AvatarKey($0) }) else { throw ChatError.notFound }
    let size = min(max(try QueryInput(visit.request).number("s") ?? 80, 16), 512)
    switch key {
    case .github(let id):
      // A row that scrolls away closes its request, which dequeues the picture unless another request waits for it.
      let directory = core.directory
      let image = try await core.whileAwaited(by: visit.request) { try await directory.avatar(of: id, size: size) }
      return Answer.conditional(
        visit.request, bytes: image.bytes, etag: ETag(image.etag),
        fields: [.contentType: image.mediaType, .cacheControl: "private, max-age=3600"])
    case .picture(let id):
      guard let picture = try await core.store.picture(id) else { throw ChatError.notFound }
      // The address is a hash of the content, so it is immutable. `inline`, because its header is a raster image's;
      // sandboxed nevertheless.
      return Answer.conditional(
        visit.request, bytes: picture.bytes, etag: ETag(id.text),
        fields: [
          .contentType: picture.mediaType, .cacheControl: "private, max-age=31536000, immutable",
          "content-disposition": "inline", "content-security-policy": "default-src 'none'; sandbox",
        ])
    case .initials(let colour, let letters):
      // The key contains all that is drawn, so the address is immutable.
      return Answer.conditional(
        visit.request, bytes: InitialsPicture.svg(colour: colour, letters: letters),
        fields: [
          .contentType: "image/svg+xml", .cacheControl: "private, max-age=31536000, immutable",
          "content-security-policy": "default-src 'none'; sandbox",
        ])
    }
  }
}

/// One or two letters on a colour, for people without a picture.
enum InitialsPicture {
  /// Twelve colours with a contrast of at least 4.5 to white letters.
  private static let colours = [
    "#b3261e", "#a33b00", "#855300", "#5f6300", "#2f6b1f", "#006b4f", "#00687a", "#0061a4", "#3f51c4", "#6b46c1",
    "#8e3a9e", "#a8326e",
  ]

  /// An SVG without styles and scripts, which the response's policy would block.
  static func svg(colour: Int, letters: String) -> [UInt8] {
    let escaped = letters.map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      default: String(character)
      }
    }
    let text =
      ##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">"##
      + ##"<rect width="100" height="100" fill="\##(colours[colour])"/>"##
      + ##"<text x="50" y="50" dy="0.35em" text-anchor="middle" font-family="sans-serif" font-size="42" "##
      + ##"font-weight="600" fill="#fff">\##(escaped.joined())</text></svg>"##
    return Array(text.utf8)
  }
}
