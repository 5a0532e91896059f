import Chat
import Crypto
import HTTP
import HTTPServer

/// A picture that a request brings as its body (SECURITY 4): for people, and for rooms.
enum PictureUpload {
  /// The most that such a route reads: a bit more than a picture may have, for a refusal in words of its own.
  static let bodyLimit = PictureRules.bytes + (64 << 10)

  /// The checked picture. Throws a `Problem` that says what to do: 415, 413 or 422.
  ///
  /// The type must be one that no form of another site can send, so browsers ask first, and are refused (SECURITY 2). What
  /// is stored is the type that the bytes themselves show.
  static func picture(_ request: Request) throws(Problem) -> Picture {
    let declared = request.head[.contentType].flatMap { MediaType($0)?.essence }
    guard ImageHeader.Format.allCases.contains(where: { $0.mediaType == declared }) else {
      throw refused(.format)
    }
    do throws(PictureRules.Refusal) {
      let header = try PictureRules.check(request.body)
      return Picture(
        id: PictureID(digest: Array(SHA256.hash(data: request.body))), mediaType: header.format.mediaType,
        bytes: request.body)
    } catch {
      throw refused(error)
    }
  }

  private static func refused(_ refusal: PictureRules.Refusal) -> Problem {
    switch refusal {
    case .format:
      Problem(
        name: .unsupportedMediaType, status: .unsupportedMediaType,
        detail: "Send a PNG, JPEG, WebP or GIF picture, with its type as Content-Type.")
    case .bytes:
      Problem(
        name: .tooLarge, status: .contentTooLarge,
        detail: "A picture has at most 1 MiB (1048576 bytes). Make it smaller.")
    case .damaged:
      Problem(
        ChatError.invalid([
          FieldError(field: "picture", code: "invalid", detail: "This file is damaged. Save the picture anew.")
        ]))
    case .pixels(let width, let height):
      Problem(
        ChatError.invalid([
          FieldError(
            field: "picture", code: "too_large",
            detail: "A picture has at most 4096 × 4096 pixels; this one has \(width) × \(height). Make it smaller.")
        ]))
    }
  }
}
