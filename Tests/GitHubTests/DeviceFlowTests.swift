import Chat
import ChatTesting
import Outbound
import TestSupport
import Testing

@testable import GitHub

@Suite("The device flow")
struct DeviceFlowTests {
  private let clock = ManualClock()
  private static let device = DeviceAuthorization(
    deviceCode: "canary-device", userCode: "WDJB-MJHT", verificationAddress: "https://github.com/login/device",
    lifetime: .seconds(900), interval: .seconds(5))

  private func signIn(_ transport: any Transport) -> GitHubSignIn {
    GitHubSignIn(
      configuration: GitHubConfiguration(base: "https://host/api/v3"), clientID: "client", clientSecret: "secret",
      clock: clock, transport: transport)
  }

  private static func answer(_ body: String, status: Int = 200) -> TransportResponse {
    TransportResponse(status: status, body: Array(body.utf8))
  }

  private static func error(_ word: String, _ rest: String = "") -> TransportResponse {
    answer(#"{"error":"\#(word)"\#(rest)}"#)
  }

  private static let token = answer(#"{"access_token":"gho_x","token_type":"bearer","scope":""}"#)
  private static let me = answer(#"{"login":"octocat","id":583231,"type":"User"}"#)

  /// Advances time until the flow polls for the `count`th time; returns how many seconds that took.
  private func secondsUntil(_ transport: ScriptedTransport, asks count: Int) async throws -> Int {
    var seconds = 0
    while transport.requests.count < count {
      try await eventually { clock.waiting > 0 || transport.requests.count >= count }
      if transport.requests.count >= count { break }
      clock.advance(by: .seconds(1))
      seconds += 1
      try await eventually { clock.waiting > 0 || transport.requests.count >= count }
    }
    return seconds
  }

  @Test("The codes are read from JSON or a form, with the standard's defaults; no secret is sent", .shows("A6"))
  func begins() async throws {
    let json = #"""
      {"device_code":"3584d8","user_code":"WDJB-MJHT","verification_uri":"https://github.com/login/device",
      "expires_in":900,"interval":5}
      """#
    let form =
      "device_code=3584d8&expires_in=900&interval=5&user_code=WDJB-MJHT"
      + "&verification_uri=https%3A%2F%2Fgithub.com%2Flogin%2Fdevice"
    let short =
      #"{"device_code":"3584d8","user_code":"WDJB-MJHT","verification_uri":"https://github.com/login/device"}"#
    for text in [json, form, short] {
      let transport = ScriptedTransport([Self.answer(text)])
      let device = try await signIn(transport).beginDeviceFlow()
      #expect(
        device
          == DeviceAuthorization(
            deviceCode: "3584d8", userCode: "WDJB-MJHT", verificationAddress: "https://github.com/login/device",
            lifetime: .seconds(900), interval: .seconds(5)))
      #expect(transport.requests[0].address.text == "https://host/login/device/code")
      #expect(String(decoding: transport.requests[0].body, as: UTF8.self) == "client_id=client")
    }
  }

  @Test(
    "A code that is unsafe to print in a terminal is refused", .shows("A6"),
    arguments: [
      #"{"device_code":"x","user_code":"A\u001b[2J","verification_uri":"https://github.com/login/device"}"#,
      #"{"device_code":"x","user_code":"AB","verification_uri":"javascript:x"}"#,
      #"{"user_code":"AB","verification_uri":"https://github.com/login/device"}"#,
    ])
  func unusable(_ body: String) async {
    let failure = await #expect(throws: GitHubIdentityFailure.self) {
      try await signIn(ScriptedTransport([Self.answer(body)])).beginDeviceFlow()
    }
    guard case .unavailable = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
  }

  @Test("A disabled device flow is a misconfiguration, with status 400 as well", .shows("A6"))
  func disabled() async {
    let answer = Self.answer(#"{"error":"device_flow_disabled"}"#, status: 400)
    let failure = await #expect(throws: GitHubIdentityFailure.self) {
      try await signIn(ScriptedTransport([answer])).beginDeviceFlow()
    }
    #expect(failure == .misconfigured("device_flow_disabled"))
  }

  @Test("It polls a fifth slower than told, and after slow_down at the new pace permanently", .shows("A6"))
  func pace() async throws {
    let transport = ScriptedTransport([
      Self.error("authorization_pending"), Self.error("slow_down", #","interval":10"#),
      Self.error("authorization_pending"), Self.error("slow_down"), Self.token, Self.me,
    ])
    let account = Task { try await signIn(transport).account(for: Self.device) }
    #expect(try await secondsUntil(transport, asks: 1) == 6)
    #expect(try await secondsUntil(transport, asks: 2) == 6)
    #expect(try await secondsUntil(transport, asks: 3) == 14)
    #expect(try await secondsUntil(transport, asks: 4) == 14)
    // Without an interval: five seconds more.
    #expect(try await secondsUntil(transport, asks: 5) == 21)
    #expect(try await account.value.id == 583231)
    let form = WebForm.decode(String(decoding: transport.requests[0].body, as: UTF8.self))
    #expect(
      form == [
        "client_id": "client", "device_code": "canary-device",
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
      ])
  }

  @Test("It ends when the codes expire, whether GitHub says so or the time is over", .shows("A6"))
  func expires() async throws {
    var device = Self.device
    device.lifetime = .seconds(20)
    let transport = ScriptedTransport { _ in Self.error("authorization_pending") }
    let signIn = signIn(transport)
    let account = Task { try await signIn.account(for: device) }
    #expect(try await secondsUntil(transport, asks: 3) == 18)
    try await eventually { clock.waiting == 1 }
    clock.advance(by: .seconds(2))
    let failure = await #expect(throws: GitHubIdentityFailure.self) { try await account.value }
    #expect(failure == .expired)
    #expect(transport.requests.count == 3)
  }

  @Test(
    "GitHub's final errors end it", .shows("A6"),
    arguments: [
      ("expired_token", GitHubIdentityFailure.expired), ("access_denied", .denied),
      ("incorrect_device_code", .misconfigured("incorrect_device_code")),
    ])
  func ends(_ word: String, _ expected: GitHubIdentityFailure) async throws {
    let transport = ScriptedTransport([Self.error(word)])
    let account = Task { try await signIn(transport).account(for: Self.device) }
    _ = try await secondsUntil(transport, asks: 1)
    let failure = await #expect(throws: GitHubIdentityFailure.self) { try await account.value }
    #expect(failure == expected)
  }

  @Test("A failure of GitHub slows it down, and a rate limit is waited for", .shows("D3"))
  func outage() async throws {
    let answers = Box<[Int]>([])
    let transport = ScriptedTransport { (_) throws(TransportFailure) in
      answers.append(1)
      switch answers.value.count {
      case 1: throw .unreachable("no route")
      case 2: return TransportResponse(status: 502, body: Array("<html>".utf8))
      case 3: return TransportResponse(status: 429, fields: ["retry-after": "200"])
      case 4: return Self.token
      default: return Self.me
      }
    }
    let account = Task { try await signIn(transport).account(for: Self.device) }
    #expect(try await secondsUntil(transport, asks: 1) == 6)
    #expect(try await secondsUntil(transport, asks: 2) == 12)
    #expect(try await secondsUntil(transport, asks: 3) == 24)
    #expect(try await secondsUntil(transport, asks: 4) == 200)
    #expect(try await account.value.login == "octocat")
  }

  @Test("Once cancelled it sends no more requests")
  func cancelled() async throws {
    let transport = ScriptedTransport([])
    let signIn = signIn(transport)
    let task = Task { try await signIn.account(for: Self.device) }
    try await eventually { clock.waiting == 1 }
    task.cancel()
    await #expect(throws: GitHubIdentityFailure.self) { try await task.value }
    #expect(transport.requests.isEmpty && clock.waiting == 0)
  }
}
