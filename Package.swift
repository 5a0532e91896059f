// swift-tools-version: 6.2
import PackageDescription

/// Every target uses Swift 6 and treats its own warnings as errors; dependencies are unaffected.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// In the release build some modules omit the run-time checks of exclusive access, which are a seventh of a small
/// request's instructions there (docs/benchmarks.md). All tests run in the debug build, which has them; with
/// HUBBUB_CHECKED set, the release build has them, too.
let unchecked: [SwiftSetting] =
  Context.environment["HUBBUB_CHECKED"] == nil
  ? [.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))] : []

let log = Target.Dependency.product(name: "Logging", package: "swift-log")
let sqlite = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqliteInterface = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "hubbub",
  products: [.executable(name: "hubbub", targets: ["hubbub"])],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
  ],
  targets: [
    // The modules, lowest first: a target may import only its dependencies.
    .target(name: "CLinux"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .target(name: "Base", swiftSettings: settings + unchecked),
    .target(name: "EventLoop", dependencies: ["Base", "CLinux"], swiftSettings: settings + unchecked),
    .target(name: "HTTP", dependencies: ["Base", "CZlib"], swiftSettings: settings + unchecked),
    .target(name: "HTTPServer", dependencies: ["Base", "EventLoop", "HTTP", log], swiftSettings: settings + unchecked),
    .target(name: "Chat", dependencies: ["Base"], swiftSettings: settings + unchecked),
    .target(
      name: "ChatSQLite", dependencies: ["Base", "Chat", sqlite, sqliteInterface], swiftSettings: settings + unchecked),
    .target(name: "Outbound", dependencies: ["Base", "CCurl", "EventLoop", "HTTP"], swiftSettings: settings),
    .target(name: "GitHub", dependencies: ["Base", "HTTP", "Chat", "Outbound", crypto, log], swiftSettings: settings),
    .target(name: "WebPush", dependencies: ["HTTP", "Chat", "Outbound", crypto, log], swiftSettings: settings),
    .target(
      name: "FakeGitHub", dependencies: ["Base", "EventLoop", "HTTP", "HTTPServer", crypto],
      resources: [.copy("Recordings")], swiftSettings: settings),
    .target(
      name: "Web",
      dependencies: ["Base", "EventLoop", "HTTP", "HTTPServer", "Chat", crypto, cryptoExtras, mustache, log],
      swiftSettings: settings),
    .executableTarget(
      name: "hubbub",
      dependencies: [
        "Base", "EventLoop", "HTTP", "HTTPServer", "Chat", "ChatSQLite", "Outbound", "GitHub", "FakeGitHub", "WebPush",
        "Web",
        arguments, log,
      ],
      swiftSettings: settings),

    // Helpers shared by the tests of several targets.
    .target(name: "TestSupport", dependencies: [log], path: "Tests/TestSupport", swiftSettings: settings),
    .target(
      name: "HTTPServerTesting", dependencies: ["Base", "EventLoop", "HTTP", "HTTPServer"],
      path: "Tests/HTTPServerTesting",
      swiftSettings: settings),
    // The model of a store, which tests of the core use and the real store is compared with.
    .target(
      name: "ChatTesting", dependencies: ["Chat", "TestSupport"], path: "Tests/ChatTesting", swiftSettings: settings),

    .testTarget(name: "EventLoopTests", dependencies: ["Base", "EventLoop", "TestSupport"], swiftSettings: settings),
    .testTarget(name: "HTTPTests", dependencies: ["Base", "HTTP", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "HTTPServerTests",
      dependencies: ["Base", "EventLoop", "HTTP", "HTTPServer", "HTTPServerTesting", "TestSupport", log],
      swiftSettings: settings),
    .testTarget(
      name: "OutboundTests", dependencies: ["HTTP", "Outbound", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "ChatTests", dependencies: ["Base", "Chat", "ChatTesting", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "ChatSQLiteTests", dependencies: ["Chat", "ChatSQLite", "ChatTesting", "TestSupport", sqlite],
      exclude: ["Fixtures"], swiftSettings: settings),
    .testTarget(
      name: "GitHubTests",
      dependencies: [
        "Base", "Chat", "EventLoop", "HTTP", "HTTPServer", "Outbound", "GitHub", "FakeGitHub", "Web", "ChatTesting",
        "TestSupport", log,
      ],
      resources: [.copy("Recordings")], swiftSettings: settings),
    .testTarget(
      name: "WebPushTests", dependencies: ["Chat", "ChatSQLite", "Outbound", "WebPush", "TestSupport", crypto, log],
      swiftSettings: settings),
    .testTarget(
      name: "WebTests",
      dependencies: [
        "Base", "EventLoop", "HTTP", "HTTPServer", "Chat", "ChatSQLite", "Outbound", "GitHub", "FakeGitHub", "WebPush",
        "Web",
        "ChatTesting", "HTTPServerTesting", "TestSupport", crypto, log,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "HubbubTests",
      dependencies: [
        "Base", "EventLoop", "HTTPServer", "Chat", "ChatSQLite", "Outbound", "GitHub", "WebPush", "Web", "hubbub",
        "TestSupport", arguments, log,
      ],
      swiftSettings: settings),
  ]
)
