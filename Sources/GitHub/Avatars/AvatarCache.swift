import Chat
import Outbound
import Synchronization

/// Pictures of GitHub accounts, from disk where they are there, else from GitHub's avatar hosts (D8, SECURITY 11). Safe
/// from any thread.
///
/// A picture that somebody changed shows within a day: for a quarter of one it is served unasked, then as it is while it
/// is revalidated behind the reader's back, and near the day's end the reader waits a moment for the answer. Browsers keep
/// it for an hour more.
///
/// Names are resolved by the transport, which cannot be told an address: so there is no check of resolved addresses, but a
/// list of hosts that the operator alone sets, https with the name proved by its certificate, and redirects under the same
/// rules.
final class AvatarCache: Sendable {
  /// Milliseconds for which a picture is served without asking, and after which nobody gets it while GitHub can be asked.
  static let age = (fresh: Int64(21_600_000), oldest: Int64(79_200_000))
  /// How long a reader waits for the revalidation of a picture that is too old; then he gets that one.
  static let patience = Duration.seconds(1)
  /// How long a failure is believed: a missing picture, and anything else.
  static let memory = (missing: Duration.seconds(600), other: Duration.seconds(30))
  /// The sizes in pixels that are fetched and kept; a request gets the next larger one.
  static let sizes = [40, 80, 160, 320]
  /// The longest side in pixels of what is served: GitHub's pictures have 460, and a small file can open up to gigabytes.
  static let longestSide = 2048

  private let folder: AvatarFolder
  private let configuration: GitHubConfiguration
  private let bases: [WebAddress]
  private let transport: any Transport
  private let clock: any ChatClock
  private let queue: FetchQueue<String, Result<AvatarFile, GitHubError>>
  private let failures: ShortMemory<String, GitHubError>

  /// A cache in `folder`, made when first used.
  init(folder: String, configuration: GitHubConfiguration, transport: any Transport, clock: any ChatClock) {
    self.folder = AvatarFolder(path: folder, limit: configuration.avatarCacheBytes, clock: clock)
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
      if (0..<Self.age.fresh).contains(age) || failures[name] != nil { return image }
      let revalidation = Task { try await fetch(address, as: name) }
      if (0..<Self.age.oldest).contains(age) || failures[address.origin] != nil { return image }
      return await soon(revalidation).flatMap(Self.image) ?? image
    }
    if let failure = failures[name] { throw failure }
    guard let image = Self.image(try await fetch(address, as: name)) else { throw Self.notAPicture }
    return image
  }

  /// What the revalidation gives, if it does so in a moment; it goes on in any case.
  private func soon(_ revalidation: Task<AvatarFile, any Error>) async -> AvatarFile? {
    await withCheckedContinuation { continuation in
      let answer = FirstAnswer(continuation)
      let timer = clock.after(Self.patience) { answer.give(nil) }
      Task {
        answer.give(try? await revalidation.value)
        timer.cancel()
      }
    }
  }

  private func fetch(_ address: WebAddress, as name: String) async throws -> AvatarFile {
    try await queue.value(for: name) { [self] in
      let result = await load(address, as: name)
      if case .failure(let error) = result {
        failures.keep(error, for: name, during: error.kind == .notFound ? Self.memory.missing : Self.memory.other)
        // While a host is silent, nobody waits for what is there already.
        if error.kind == .timedOut { failures.keep(error, for: address.origin, during: Self.memory.other) }
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
        guard Self.mediaType(of: response.body) != nil else { return .failure(Self.notAPicture) }
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
    mediaType(of: file.bytes).map {
      AvatarImage(bytes: file.bytes, mediaType: $0, etag: String(file.digest.prefix(32)))
    }
  }

  /// The type that the bytes themselves tell, whatever the host says; nil for what is no picture, and for too large ones.
  private static func mediaType(of bytes: [UInt8]) -> String? {
    guard case .header(let header) = ImageHeader.read(bytes), max(header.width, header.height) <= longestSide else {
      return nil
    }
    return header.format.mediaType
  }
}

/// Gives a waiter the first of two answers.
private final class FirstAnswer: Sendable {
  private let continuation: Mutex<CheckedContinuation<AvatarFile?, Never>?>

  init(_ continuation: CheckedContinuation<AvatarFile?, Never>) { self.continuation = Mutex(continuation) }

  func give(_ file: AvatarFile?) {
    let continuation = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    continuation?.resume(returning: file)
  }
}
