// swift-tools-version: 6.2
import PackageDescription

// The same small server on Hummingbird, to be measured beside ours.
let package = Package(
  name: "peer",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1")],
  targets: [
    .executableTarget(name: "Peer", dependencies: [.product(name: "Hummingbird", package: "hummingbird")])
  ]
)
