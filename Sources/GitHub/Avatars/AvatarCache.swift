import Chat
import Outbound
import Synchronization

/// GitHub avatars, read from disk if cached, otherwise fetched from GitHub's avatar hosts. Safe from any thread.
///
/// A changed picture shows up within a day. For the first quarter of a day the cached picture is served as it is; after
/// that it is served while it is revalidated in the background; near the end of the day the reader waits briefly for
/// the revalidation. Browsers may cache the picture for another hour.
///
/// Pictures come over https from a list of hosts that only the operator can extend. GitHub's own hosts must have public
/// addresses; the operator's may be on their own network. Each redirect is checked like the first request.
final class AvatarCache: Sendable {
  /// In milliseconds: how long a picture is served without revalidation, and the age from which it is no longer served
  /// while GitHub can be reached.
  static let age = (fresh: Int64(21_600_000), oldest: Int64(79_200_000))
  /// How long a reader waits for the revalidation of an expired picture before getting the old one.
  static let patience = Duration.seconds(1)
  /// How long a failure is cached: for a missing picture, and for any other failure.
  static let memory = (missing: Duration.seconds(600), other: Duration.seconds(30))
  /// The sizes in pixels that are fetched and cached. A request gets the next larger one.
  static let sizes = [40, 80, 160, 320]
  /// The longest side in pixels of a picture that is served. GitHub's have 460; a small file can decode to gigabytes.
  static let longestSide = 2048

  private let folder: AvatarFolder
  private let configuration: GitHubConfiguration
  private let bases: [WebAddress]
  private let transport: any Transport
  private let clock: any ChatClock
  private let queue: FetchQueue<String, Result<AvatarFile, GitHubError>>
  private let failures: ShortMemory<String, GitHubError>

  /// A cache in `folder`, which is created on first use.
  init(folder: String, configuration: GitHubConfiguration, transport: any Transport, clock: any ChatClock) {
    self.folder = AvatarFolder(path: folder, limit: configuration.avatarCacheBytes, clock: clock)
    self.configuration = configuration
    bases = [configuration.apiBase, configuration.webBase].compactMap { WebAddress($0) }
    self.transport = transport
    self.clock = clock
    queue = FetchQueue(limit: configuration.concurrentAvatars, clock: clock)
    failures = ShortMemory(capacity: 2000, clock: clock)
  }

  /// The picture at `text`, about `size` pixels wide. Throws `GitHubError`, or `CancellationError` if the caller is
  /// cancelled; a queued fetch without other waiters is then dropped. Reads files, so it runs off the caller's
  /// executor.
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

  /// The revalidation's result if it arrives within `patience`. The revalidation continues either way.
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
      // A cancelled fetch says nothing about the picture.
      if case .failure(let error) = result, !Task.isCancelled {
        failures.keep(error, for: name, during: error.kind == .notFound ? Self.memory.missing : Self.memory.other)
        // While a host does not respond, readers get cached pictures without waiting.
        if error.kind == .timedOut { failures.keep(error, for: address.origin, during: Self.memory.other) }
      }
      return result
    }.get()
  }

  /// Fetches the picture, conditionally if an older copy is cached, and caches the result. A failure leaves the older
  /// copy in place.
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

  /// Sends one request without credentials and follows its redirects, checking each like the first.
  private func follow(_ address: WebAddress, etag: String?) async throws(GitHubError) -> TransportResponse {
    var address = address
    for _ in 0...3 {
      guard let reach = reach(of: address) else { throw Self.notAllowed }
      var fields = ["User-Agent": configuration.userAgent, "Accept": "image/*"]
      if let etag, !etag.isEmpty { fields["If-None-Match"] = etag }
      let request = TransportRequest(
        address: address, reach: reach, fields: fields, bodyLimit: configuration.bodyLimit,
        timeout: configuration.avatarTimeout)
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
    throw GitHubError(kind: .malformed, message: "the avatar host's redirects form a loop")
  }

  /// The network that a request for `address` may reach, or nil if it must not be sent. Known avatar hosts are allowed
  /// over https on the default port, and the configured GitHub at any address.
  private func reach(of address: WebAddress) -> TransportRequest.Reach? {
    if bases.contains(where: address.hasOrigin(of:)) { return .anyAddress }
    guard address.scheme == "https", address.port == 443, configuration.avatarHosts.contains(address.host) else {
      return nil
    }
    return GitHubConfiguration.publicAvatarHosts.contains(address.host) ? .publicAddresses : .anyAddress
  }

  private static let notAllowed = GitHubError(kind: .invalid, message: "the avatar's address is not on an allowed host")
  private static let notAPicture = GitHubError(kind: .malformed, message: "the avatar is not a picture")

  private static func image(_ file: AvatarFile) -> AvatarImage? {
    mediaType(of: file.bytes).map {
      AvatarImage(bytes: file.bytes, mediaType: $0, etag: String(file.digest.prefix(32)))
    }
  }

  /// The media type detected from the bytes, whatever the host claims; nil if they are not an image or the image is too
  /// large.
  private static func mediaType(of bytes: [UInt8]) -> String? {
    guard case .header(let header) = ImageHeader.read(bytes), max(header.width, header.height) <= longestSide else {
      return nil
    }
    return header.format.mediaType
  }
}

/// Resumes a waiter with the first of two results.
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
