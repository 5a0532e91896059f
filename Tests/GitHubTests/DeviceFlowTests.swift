import Chat
import Outbound
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

  /// Lets the time pass until the flow asks for the `count`th time, and tells how many seconds that took.
  private func secondsUntil(_ transport: ScriptedTransport, asks count: Int) async throws -> Int {
    var seconds = 0
    while transport.requests.count < count {
      try await eventually { clock.waitingCount > 0 || transport.requests.count >= count }
      if transport.requests.count >= count { break }
      clock.advance(seconds: 1)
      seconds += 1
      try await eventually { clock.waitingCount > 0 || transport.requests.count >= count }
    }
    return seconds
  }

  @Test("A6 The codes come as JSON or as a form, with the standard's defaults; no secret is sent")
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
    "A6 What cannot be shown in a terminal is no code",
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

  @Test("A6 A device flow that is switched off is the operator's to mend, with status 400 as well")
  func disabled() async {
    let answer = Self.answer(#"{"error":"device_flow_disabled"}"#, status: 400)
    let failure = await #expect(throws: GitHubIdentityFailure.self) {
      try await signIn(ScriptedTransport([answer])).beginDeviceFlow()
    }
    #expect(failure == .misconfigured("device_flow_disabled"))
  }

  @Test("A6 It asks a fifth slower than told, and after slow_down at the new pace for good")
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
    // Told no interval: five seconds more.
    #expect(try await secondsUntil(transport, asks: 5) == 21)
    #expect(try await account.value.id == 583231)
    let form = WebForm.decode(String(decoding: transport.requests[0].body, as: UTF8.self))
    #expect(
      form == [
        "client_id": "client", "device_code": "canary-device",
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
      ])
  }

  @Test("A6 It ends with the codes' life, whether GitHub says so or the time is over")
  func expires() async throws {
    var device = Self.device
    device.lifetime = .seconds(20)
    let transport = ScriptedTransport { _ in Self.error("authorization_pending") }
    let signIn = signIn(transport)
    let account = Task { try await signIn.account(for: device) }
    #expect(try await secondsUntil(transport, asks: 3) == 18)
    try await eventually { clock.waitingCount == 1 }
    clock.advance(seconds: 2)
    let failure = await #expect(throws: GitHubIdentityFailure.self) { try await account.value }
    #expect(failure == .expired)
    #expect(transport.requests.count == 3)
  }

  @Test(
    "A6 What GitHub says ends it",
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

  @Test("D3 A bad moment of GitHub slows it down, and a limit is waited for")
  func outage() async throws {
    let answers = Notes<Int>()
    let transport = ScriptedTransport { (_) throws(TransportFailure) in
      answers.add(1)
      switch answers.values.count {
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

  @Test("Cancelled, it asks no more")
  func cancelled() async throws {
    let transport = ScriptedTransport([])
    let signIn = signIn(transport)
    let task = Task { try await signIn.account(for: Self.device) }
    try await eventually { clock.waitingCount == 1 }
    task.cancel()
    await #expect(throws: GitHubIdentityFailure.self) { try await task.value }
    #expect(transport.requests.isEmpty && clock.waitingCount == 0)
  }
}
