// swift-tools-version: 6.2
import PackageDescription

// Two processes, one file: what the first one commits the second one is told of.
let package = Package(
  name: "two-processes",
  dependencies: [.package(name: "regnum", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "TwoProcesses", dependencies: [.product(name: "RealmSwift", package: "regnum")],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
  ]
)
