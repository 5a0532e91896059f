// swift-tools-version: 6.2
import PackageDescription

// The server's modules, by symbolic links to their sources: fuzzing, sanitizing and measuring them needs neither
// database nor cryptography, and builds in a minute.

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// In the release build some modules omit the run-time checks of exclusive access, as in the program. Fuzzing has them.
let unchecked: [SwiftSetting] =
  Context.environment["HUBBUB_FUZZ"] == nil
  ? [.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))] : []

let log = Target.Dependency.product(name: "Logging", package: "swift-log")

/// libFuzzer provides the `main` of the fuzz target: without `--sanitize fuzzer` there is none to link.
let fuzz: [Target] =
  Context.environment["HUBBUB_FUZZ"] == nil
  ? []
  : [
    .executableTarget(
      name: "Fuzz", dependencies: ["FuzzSupport"], swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])])
  ]

/// The benchmark of the store, with the database it needs.
let hasStore = Context.environment["HUBBUB_STORE"] != nil
let sqlite = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqliteInterface = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let store: [Target] =
  hasStore
  ? [
    .target(name: "Chat", dependencies: ["Base"], swiftSettings: settings + unchecked),
    .target(
      name: "ChatSQLite", dependencies: ["Base", "Chat", sqlite, sqliteInterface], swiftSettings: settings + unchecked),
    .executableTarget(
      name: "HubbubBenchmarks", dependencies: ["Chat", "ChatSQLite", arguments], swiftSettings: settings),
  ] : []
let storePackages: [Package.Dependency] =
  hasStore
  ? [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  ] : []

let package = Package(
  name: "workbench",
  dependencies: [.package(url: "https://github.com/apple/swift-log", exact: "1.16.2")] + storePackages,
  targets: [
    .target(name: "CLinux"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "Base", swiftSettings: settings + unchecked),
    .target(name: "EventLoop", dependencies: ["Base", "CLinux"], swiftSettings: settings + unchecked),
    .target(name: "HTTP", dependencies: ["Base", "CZlib"], swiftSettings: settings + unchecked),
    .target(name: "HTTPServer", dependencies: ["Base", "EventLoop", "HTTP", log], swiftSettings: settings + unchecked),

    .target(name: "FuzzSupport", dependencies: ["HTTP"], swiftSettings: settings),
    .executableTarget(name: "Outcomes", dependencies: ["FuzzSupport", "HTTP"], swiftSettings: settings),
    .executableTarget(
      name: "BenchServer", dependencies: ["Base", "EventLoop", "HTTP", "HTTPServer", log], swiftSettings: settings),
    .executableTarget(name: "BenchStreams", dependencies: ["Base", "EventLoop"], swiftSettings: settings),

    .target(name: "TestSupport", dependencies: [log], swiftSettings: settings),
    .target(
      name: "HTTPServerTesting", dependencies: ["Base", "EventLoop", "HTTP", "HTTPServer"], swiftSettings: settings),
    .testTarget(name: "EventLoopTests", dependencies: ["Base", "EventLoop", "TestSupport"], swiftSettings: settings),
    .testTarget(name: "HTTPTests", dependencies: ["Base", "HTTP", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "HTTPServerTests",
      dependencies: ["Base", "EventLoop", "HTTP", "HTTPServer", "HTTPServerTesting", "TestSupport", log],
      swiftSettings: settings),
  ] + fuzz + store
)
