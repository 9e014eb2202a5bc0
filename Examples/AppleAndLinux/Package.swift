// swift-tools-version: 6.2
import PackageDescription

// An app for Apple platforms and Linux. There it uses the original SDK, here this package; its sources do not know which.
//
// `os(Linux)` is the system on which the manifest is read. Whoever builds for Linux elsewhere, with a Swift SDK, sets the variable.
#if os(Linux)
  let isForLinux = true
#else
  let isForLinux = Context.environment["BUILD_FOR_LINUX"] != nil
#endif

let realm: (package: Package.Dependency, name: String) =
  isForLinux
  ? (.package(name: "regnum", path: "../..", traits: []), "regnum")
  : (.package(url: "https://github.com/realm/realm-swift", from: "10.54.0"), "realm-swift")

let package = Package(
  name: "apple-and-linux",
  platforms: [.macOS(.v13), .iOS(.v16)],
  dependencies: [realm.package],
  targets: [
    .executableTarget(
      name: "Notes", dependencies: [.product(name: "RealmSwift", package: realm.name)], swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
