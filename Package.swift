// swift-tools-version: 6.2
import PackageDescription

/// Every target speaks Swift 6 and treats its own warnings as errors; dependencies are not touched by that.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// In the release build the rooms of the hot path do without the run-time checks of exclusive access (a seventh of the
/// instructions of a small request). All tests run in the debug build, which has them.
let unchecked: [SwiftSetting] = [
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))
]

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
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
  ],
  targets: [
    // The house, from the ground up: a target may import only what its dependencies name.
    .target(name: "CLinux"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "EventLoop", dependencies: ["CLinux"], swiftSettings: settings + unchecked),
    .target(name: "HTTP", dependencies: ["CZlib"], swiftSettings: settings + unchecked),
    .target(name: "HTTPServer", dependencies: ["EventLoop", "HTTP", log], swiftSettings: settings + unchecked),
    .target(name: "Chat", swiftSettings: settings + unchecked),
    .target(
      name: "ChatSQLite", dependencies: ["Chat", sqlite, sqliteInterface], swiftSettings: settings + unchecked),
    .target(name: "Outbound", dependencies: ["Chat"], swiftSettings: settings),
    .target(name: "GitHub", dependencies: ["Chat", "Outbound", crypto, log], swiftSettings: settings),
    .target(name: "WebPush", dependencies: ["Chat", "Outbound", crypto, log], swiftSettings: settings),
    .target(
      name: "FakeGitHub", dependencies: ["EventLoop", "HTTP", "HTTPServer", crypto],
      resources: [.copy("Recordings")], swiftSettings: settings),
    .target(
      name: "Web", dependencies: ["EventLoop", "HTTP", "HTTPServer", "Chat", crypto, cryptoExtras, mustache, log],
      swiftSettings: settings + unchecked),
    .executableTarget(
      name: "hubbub",
      dependencies: [
        "EventLoop", "HTTP", "HTTPServer", "Chat", "ChatSQLite", "Outbound", "GitHub", "FakeGitHub", "WebPush", "Web",
        arguments, log,
      ],
      swiftSettings: settings),

    // What is measured outside of the tests (bin/bench-search).
    .executableTarget(
      name: "HubbubBenchmarks", dependencies: ["Chat", "ChatSQLite", arguments], swiftSettings: settings),

    // The model of a store, which the core is tested with and the real store is compared with.
    .target(name: "ChatTesting", dependencies: ["Chat"], path: "Tests/ChatTesting", swiftSettings: settings),

    .testTarget(name: "EventLoopTests", dependencies: ["EventLoop"], swiftSettings: settings),
    .testTarget(name: "HTTPTests", dependencies: ["HTTP"], swiftSettings: settings),
    .testTarget(
      name: "HTTPServerTests", dependencies: ["EventLoop", "HTTP", "HTTPServer", log], swiftSettings: settings),
    .testTarget(name: "ChatTests", dependencies: ["Chat", "ChatTesting"], swiftSettings: settings),
    .testTarget(
      name: "ChatSQLiteTests", dependencies: ["Chat", "ChatSQLite", "ChatTesting", sqlite], exclude: ["Fixtures"],
      swiftSettings: settings),
    .testTarget(
      name: "GitHubTests",
      dependencies: ["Chat", "EventLoop", "HTTP", "HTTPServer", "Outbound", "GitHub", "FakeGitHub", "Web", log],
      resources: [.copy("Recordings")], swiftSettings: settings),
    .testTarget(
      name: "WebPushTests", dependencies: ["Chat", "ChatSQLite", "Outbound", "WebPush", crypto, log],
      swiftSettings: settings),
    .testTarget(
      name: "WebTests",
      dependencies: [
        "EventLoop", "HTTP", "HTTPServer", "Chat", "ChatSQLite", "Outbound", "GitHub", "FakeGitHub", "WebPush", "Web",
        crypto, log,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "HubbubTests",
      dependencies: [
        "EventLoop", "HTTPServer", "Chat", "ChatSQLite", "Outbound", "GitHub", "WebPush", "Web", "hubbub", arguments,
        log,
      ],
      swiftSettings: settings),
  ]
)
