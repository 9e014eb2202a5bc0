// swift-tools-version: 6.2
import PackageDescription

// Stands in for the original SDK on Linux, where it does not build: the names of its package, product and module, and nothing else.
let package = Package(
  name: "Realm", products: [.library(name: "RealmSwift", targets: ["RealmSwift"])],
  targets: [.target(name: "RealmSwift", swiftSettings: [.swiftLanguageMode(.v6)])])
