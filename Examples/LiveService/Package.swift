// swift-tools-version: 6.2
import PackageDescription

// An HTTP service that keeps its data in a realm. It encrypts nothing: `traits: []` leaves the cryptography out.
let package = Package(
  name: "live-service",
  dependencies: [
    .package(name: "regnum", path: "../..", traits: []),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
  ],
  targets: [
    .executableTarget(
      name: "LiveService",
      dependencies: [
        .product(name: "RealmSwift", package: "regnum"), .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
  ]
)
