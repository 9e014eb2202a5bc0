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

/// The directory of the checkout, whatever it is called: for an alias SwiftPM goes by this name of a package, and not by one that `name:` gives it.
/// With a URL it is the last part of that, `regnum`.
let checkout = String(Context.packageDirectory.split(separator: "/").dropLast(2).last ?? "regnum")

/// This package. Something else in this graph has a module `RealmSwift`, too, so this one is built as `Regnum`: SwiftPM refuses two modules of one name.
/// A target with no other `RealmSwift` still says `import RealmSwift`. Without another one in the graph leave `moduleAliases` out.
let ours = Target.Dependency.product(name: "RealmSwift", package: checkout, moduleAliases: ["RealmSwift": "Regnum"])

/// The original SDK. It does not build on Linux: a package of its name, with a module of its name, stands in for it there.
let original = Target.Dependency.product(name: "RealmSwift", package: "realm-swift")

let settings: [SwiftSetting] = [.swiftLanguageMode(.v6)]

let package = Package(
  name: "apple-and-linux",
  platforms: [.macOS(.v13), .iOS(.v16)],
  dependencies: isForLinux
    ? [.package(path: "../..", traits: []), .package(path: "realm-swift")]
    : [.package(url: "https://github.com/realm/realm-swift", from: "10.54.0")],
  targets: [
    .executableTarget(name: "Notes", dependencies: [isForLinux ? ours : original], swiftSettings: settings)
  ]
)

if isForLinux {
  // Has both. Here `import RealmSwift` is the other one, and this one goes by its alias.
  package.targets.append(.executableTarget(name: "Both", dependencies: [ours, original], swiftSettings: settings))
}
