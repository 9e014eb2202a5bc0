// swift-tools-version: 6.2
import PackageDescription

// A client of the SDK, as an app would be: it depends on the package by path and imports only `RealmSwift`. CI builds and runs it.
let package = Package(
  name: "client",
  dependencies: [.package(name: "regnum", path: "../..")],
  targets: [
    .executableTarget(
      name: "Client", dependencies: [.product(name: "RealmSwift", package: "regnum")],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
  ]
)
