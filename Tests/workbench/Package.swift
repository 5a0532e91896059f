// swift-tools-version: 6.2
import PackageDescription

// The server's rooms alone, by symbolic links to them: what fuzzes, sanitizes and measures them builds in a minute and
// needs neither database nor cryptography.

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

/// libFuzzer brings the `main` of the fuzz target: without `--sanitize fuzzer` there is none to link.
let fuzz: [Target] =
  Context.environment["HUBBUB_FUZZ"] == nil
  ? []
  : [
    .executableTarget(
      name: "Fuzz", dependencies: ["FuzzSupport"], swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])])
  ]

let package = Package(
  name: "workbench",
  dependencies: [.package(url: "https://github.com/apple/swift-log", from: "1.16.2")],
  targets: [
    .target(name: "CLinux"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "EventLoop", dependencies: ["CLinux"], swiftSettings: settings + unchecked),
    .target(name: "HTTP", dependencies: ["CZlib"], swiftSettings: settings + unchecked),
    .target(name: "HTTPServer", dependencies: ["EventLoop", "HTTP", log], swiftSettings: settings + unchecked),

    .target(name: "FuzzSupport", dependencies: ["HTTP"], swiftSettings: settings),
    .executableTarget(name: "Outcomes", dependencies: ["FuzzSupport", "HTTP"], swiftSettings: settings),
    .executableTarget(
      name: "BenchServer", dependencies: ["EventLoop", "HTTP", "HTTPServer", log], swiftSettings: settings),
    .executableTarget(name: "BenchStreams", dependencies: ["EventLoop"], swiftSettings: settings),

    .testTarget(name: "EventLoopTests", dependencies: ["EventLoop"], swiftSettings: settings),
    .testTarget(name: "HTTPTests", dependencies: ["HTTP"], swiftSettings: settings),
    .testTarget(
      name: "HTTPServerTests", dependencies: ["EventLoop", "HTTP", "HTTPServer", log], swiftSettings: settings),
  ] + fuzz
)
