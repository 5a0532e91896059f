import Chat

/// Pictures of GitHub accounts, from disk where they are there, else from GitHub's avatar hosts; revalidated once a day
/// behind the back of the reader, who gets the old one at once (D8, SECURITY 11). Safe from any thread.
final class AvatarCache: Sendable {
  /// How long a picture is served without asking.
  static let freshness: Int64 = 86_400_000
  /// How long a failure is believed: a missing picture, and anything else.
  static let memory = (missing: Duration.seconds(600), other: Duration.seconds(30))
  /// The sizes in pixels that are fetched and kept; a request gets the next larger one.
  static let sizes = [40, 80, 160, 320]

  private let folder: AvatarFolder
  private let configuration: GitHubConfiguration
  private let bases: [WebAddress]
  private let transport: any Transport
  private let clock: any ChatClock
  private let queue: FetchQueue<String, Result<AvatarFile, GitHubError>>
  private let failures: ShortMemory<String, GitHubError>

  /// A cache in `folder`, made when first used.
  init(folder: String, configuration: GitHubConfiguration, transport: any Transport, clock: any ChatClock) {
    self.folder = AvatarFolder(path: folder, limit: configuration.avatarCacheBytes)
    self.configuration = configuration
    bases = [configuration.apiBase, configuration.webBase].compactMap { WebAddress($0) }
    self.transport = transport
    self.clock = clock
    queue = FetchQueue(limit: configuration.concurrentAvatars, clock: clock)
    failures = ShortMemory(capacity: 2000, clock: clock)
  }

  /// The picture at `text` of about `size` pixels. Throws `GitHubError`, or `CancellationError` for a caller that was
  /// cancelled; a fetch that nobody else waits for then leaves the queue. Off the caller's executor, since it reads files.
  @concurrent
  func picture(at text: String, size: Int) async throws -> AvatarImage {
    guard let given = WebAddress(text) else { throw Self.notAllowed }
    let size = Self.sizes.first { $0 >= size } ?? 320
    let plain = given.replacingQuery("s", with: nil)
    let name = AvatarFile.name(for: plain.target + "|" + plain.host + "|\(size)")
    let address = plain.replacingQuery("s", with: String(size))
    if let kept = folder.read(name), let image = Self.image(kept) {
      let age = clock.now.milliseconds - kept.checkedAt
      if !(0..<Self.freshness).contains(age), failures[name] == nil {
        Task { _ = try await fetch(address, as: name) }
      }
      return image
    }
    if let failure = failures[name] { throw failure }
    guard let image = Self.image(try await fetch(address, as: name)) else { throw Self.notAPicture }
    return image
  }

  private func fetch(_ address: WebAddress, as name: String) async throws -> AvatarFile {
    try await queue.value(for: name) { [self] in
      let result = await load(address, as: name)
      if case .failure(let error) = result {
        failures.keep(error, for: name, during: error.kind == .notFound ? Self.memory.missing : Self.memory.other)
      }
      return result
    }.get()
  }

  /// Fetches, conditionally where an older picture is there, and keeps what came. The older one survives any failure.
  private func load(_ address: WebAddress, as name: String) async -> Result<AvatarFile, GitHubError> {
    var kept = folder.read(name)
    do {
      let response = try await follow(address, etag: kept?.etag)
      switch response.status {
      case 304:
        guard kept != nil else { return .failure(Self.notAPicture) }
        kept?.checkedAt = clock.now.milliseconds
      case 200:
        guard AvatarFile.mediaType(of: response.body) != nil else { return .failure(Self.notAPicture) }
        kept = AvatarFile(
          checkedAt: clock.now.milliseconds, etag: response.fields["etag"] ?? "", bytes: response.body)
      case let status:
        let kind: GitHubError.Kind = status == 404 || status == 410 ? .notFound : status < 500 ? .forbidden : .server
        return .failure(GitHubError(kind: kind, status: status, message: "the avatar host answered \(status)"))
      }
    } catch {
      return .failure(error)
    }
    guard let kept else { return .failure(Self.notAPicture) }
    folder.write(kept, as: name)
    return .success(kept)
  }

  /// One request with its redirects, each checked like the first; without any credential.
  private func follow(_ address: WebAddress, etag: String?) async throws(GitHubError) -> TransportResponse {
    var address = address
    for _ in 0...3 {
      guard isAllowed(address) else { throw Self.notAllowed }
      var fields = ["User-Agent": configuration.userAgent, "Accept": "image/*"]
      if let etag, !etag.isEmpty { fields["If-None-Match"] = etag }
      let request = TransportRequest(
        address: address, fields: fields, bodyLimit: configuration.bodyLimit, timeout: configuration.avatarTimeout)
      let response: TransportResponse
      do {
        response = try await transport.send(request)
      } catch {
        throw GitHubError(error)
      }
      guard [301, 302, 303, 307, 308].contains(response.status) else { return response }
      guard let location = response.fields["location"], let target = address.resolving(location: location) else {
        throw Self.notAllowed
      }
      address = target
    }
    throw GitHubError(kind: .malformed, message: "the avatar host redirects in circles")
  }

  /// Known hosts over https on its own port, and the configured GitHub itself as it was configured.
  private func isAllowed(_ address: WebAddress) -> Bool {
    bases.contains(where: address.hasOrigin(of:))
      || address.scheme == "https" && address.port == 443 && configuration.avatarHosts.contains(address.host)
  }

  private static let notAllowed = GitHubError(kind: .invalid, message: "the avatar's address is not on an allowed host")
  private static let notAPicture = GitHubError(kind: .malformed, message: "the avatar is not a picture")

  private static func image(_ file: AvatarFile) -> AvatarImage? {
    AvatarFile.mediaType(of: file.bytes).map {
      AvatarImage(bytes: file.bytes, mediaType: $0, etag: String(file.digest.prefix(32)))
    }
  }
}
