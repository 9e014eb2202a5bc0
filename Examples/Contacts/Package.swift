// swift-tools-version: 6.2
import PackageDescription

// A command-line program that keeps its data in a realm.
let package = Package(
  name: "contacts",
  dependencies: [
    .package(name: "regnum", path: "../..", traits: []),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .executableTarget(
      name: "Contacts",
      dependencies: [.product(name: "RealmSwift", package: "regnum"), .product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
  ]
)
