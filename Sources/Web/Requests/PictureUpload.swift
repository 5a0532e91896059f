import Chat
import Crypto
import HTTP
import HTTPServer

/// A picture uploaded as a request's body, for a person or a room.
enum PictureUpload {
  /// The body limit of these routes: somewhat larger than a picture may be, so that the error is specific.
  static let bodyLimit = PictureRules.bytes + (64 << 10)

  /// The validated picture. Throws a `Problem` that says what to do: 415, 413 or 422.
  ///
  /// The content type must be one that no form on another site can send, so that browsers send a preflight request,
  /// which is refused. The type that is stored is the one detected from the bytes.
  static func picture(_ request: Request) throws(Problem) -> Picture {
    let declared = request.head[.contentType].flatMap { MediaType($0)?.essence }
    guard ImageHeader.Format.allCases.contains(where: { $0.mediaType == declared }) else {
      throw refused(.format)
    }
    do throws(PictureRules.Refusal) {
      let header = try PictureRules.check(request.body)
      let bytes = ImageMetadata.stripped(request.body, header.format)
      return Picture(
        id: PictureID(digest: Array(SHA256.hash(data: bytes))), mediaType: header.format.mediaType, bytes: bytes)
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
          FieldError(field: "picture", code: "invalid", detail: "This file is damaged. Save the picture again.")
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
