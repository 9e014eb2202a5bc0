// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// `REGNUM_SANITIZER=thread swift build --sanitize thread` builds with locks that ThreadSanitizer sees.
let sanitizer: [SwiftSetting] = Context.environment["REGNUM_SANITIZER"] == nil ? [] : [.define("REGNUM_SANITIZER")]

/// Warnings are errors in CI, which sets the variable: a newer compiler finds new ones, and must not stop whoever only uses the library.
let warnings: [SwiftSetting] = Context.environment["REGNUM_WARNINGS"] == "error" ? [.treatAllWarnings(as: .error)] : []

/// Whether a package manager fetches this package for another one: tools and tests with what they need are left out then, so that nothing of theirs
/// reaches users of the library. Versions are chosen by manifests read from a bare repository, at `/`; what is built is at `SCRATCH/checkouts/regnum`.
let isFetched: Bool = {
  if Context.packageDirectory == "/" { return true }
  let folder = URL(fileURLWithPath: Context.packageDirectory).deletingLastPathComponent()
  let state = folder.deletingLastPathComponent().appendingPathComponent("workspace-state.json").path
  return folder.lastPathComponent == "checkouts" && FileManager.default.fileExists(atPath: state)
}()

/// Those of the package's traits with which something is built. One of them stands for all, and is what a checkout has: SwiftPM hands the names of
/// several to the compiler in the order of a set, which is another one in each process, and then every build builds everything anew.
func traits(_ name: String) -> Set<String> { [name, "Everything"] }

/// The cryptography of swift-crypto, which nothing builds or fetches without the trait.
let cryptography: Target.Dependency = .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: traits("Encryption")))

/// Settings of every library and tool target. Test targets leave strict memory safety off (see Documentation/Architecture.md).
let strict: [SwiftSetting] =
  sanitizer + warnings + [
    .define("Encryption", .when(traits: ["Everything"])),
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
let testing: [SwiftSetting] = warnings + [.swiftLanguageMode(.v6)]

/// What users of the library get.
let libraries: [Target] = [
  // What transactions changed, as synchronisation passes it on: bytes, text. No file, no socket.
  .target(name: "Changesets", swiftSettings: strict),
  .target(name: "RealmStorage", dependencies: ["Changesets", cryptography], swiftSettings: strict),
  // Conditions over objects: languages, plans, execution.
  .target(name: "RealmQuery", dependencies: ["RealmStorage"], swiftSettings: strict),
  .target(name: "RealmSwift", dependencies: ["RealmStorage", "RealmQuery"], swiftSettings: strict),
  .target(
    name: "RealmOpenCombine",
    dependencies: [
      "RealmSwift", "RealmStorage", .product(name: "OpenCombine", package: "OpenCombine", condition: .when(traits: traits("OpenCombine"))),
      .product(name: "OpenCombineDispatch", package: "OpenCombine", condition: .when(traits: traits("OpenCombine"))),
    ], swiftSettings: strict),
  // What realms report and do, for swift-log and swift-metrics.
  .target(
    name: "RealmObservability",
    dependencies: [
      "RealmSwift", .product(name: "Logging", package: "swift-log", condition: .when(traits: traits("Observability"))),
      .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: traits("Observability"))),
    ], swiftSettings: strict),
]

/// Tools, tests, and what benchmarks use.
let development: [Target] = [
  // What becomes of changes that several files made at the same time.
  .target(name: "Merge", dependencies: ["Changesets"], swiftSettings: strict),
  // The system's zlib, and Swift around it.
  .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
  .target(name: "Compression", dependencies: ["CZlib"], swiftSettings: strict),
  // What clients and servers say to each other, and when. No socket, no clock.
  .target(name: "SyncProtocol", dependencies: ["Changesets", "Compression"], swiftSettings: strict),
  // A realm as a value, to which changesets are applied: what merges are checked with.
  .target(name: "ChangesetModel", dependencies: ["Changesets"], swiftSettings: strict),
  // What a file does that synchronises: merges downloads, hands out uploads. No socket.
  .target(name: "RealmSync", dependencies: ["RealmStorage", "Changesets", "Merge", "Compression"], swiftSettings: strict),
  // Files, a server and a network in one thread and virtual time.
  .target(
    name: "SyncSimulation", dependencies: ["RealmStorage", "RealmSync", "Changesets", "Merge", "ChangesetModel", "Randomness"], swiftSettings: strict),
  // What both command-line tools share: canonical JSON, export, annotated dump.
  .target(
    name: "RealmInspection", dependencies: ["RealmStorage", "RealmQuery", "RealmSync", "Changesets", cryptography], swiftSettings: strict),
  // What Realm Studio (Studio/) shows of a file and does to it, without network.
  .target(name: "StudioService", dependencies: ["RealmStorage", "RealmQuery", "RealmInspection"], swiftSettings: strict),
  .executableTarget(
    name: "realm",
    dependencies: [
      "RealmStorage", "RealmQuery", "RealmInspection", "RealmSwift", "RealmSync", "Changesets",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ], swiftSettings: strict),
  .executableTarget(
    name: "conformance",
    dependencies: [
      "RealmStorage", "RealmQuery", "RealmInspection", "RealmSwift", "Changesets", "Merge", "ChangesetModel",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ], swiftSettings: strict),
  // Repeatable random numbers for everything below.
  .target(name: "Randomness", swiftSettings: strict),
  .target(name: "EngineWorkloads", dependencies: ["RealmStorage", "RealmQuery", "Randomness"], swiftSettings: strict),
  // Damaged files for the storage engine.
  .executableTarget(
    name: "regnum-fuzz",
    dependencies: [
      "RealmStorage", "RealmQuery", "RealmInspection", "Changesets", "Merge", "ChangesetModel", "SyncProtocol", "Randomness",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ], swiftSettings: strict),
  // Threads of two processes that write and observe for a long time.
  .executableTarget(
    name: "regnum-soak",
    dependencies: [
      "RealmSwift", "RealmStorage", "RealmInspection", "Randomness", .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ], swiftSettings: strict),
  // A second process for tests.
  .executableTarget(name: "regnum-test-agent", dependencies: ["RealmStorage", "Randomness"], swiftSettings: strict),
  // What tests share: directories, fixtures, child processes, random numbers, a disk that fails.
  .target(
    name: "TestSupport", dependencies: ["RealmStorage", "RealmSync", "RealmInspection", "Randomness"], path: "Tests/TestSupport",
    swiftSettings: testing),
  .testTarget(
    name: "RealmStorageTests", dependencies: ["RealmStorage", "Randomness", "TestSupport", "regnum-test-agent"], swiftSettings: testing),
  .testTarget(name: "ChangesetsTests", dependencies: ["Changesets", "Randomness", "TestSupport"], swiftSettings: testing),
  .testTarget(
    name: "MergeTests", dependencies: ["Merge", "ChangesetModel", "Changesets", "SyncSimulation", "Randomness", "TestSupport"], swiftSettings: testing
  ),
  .testTarget(
    name: "RealmSyncTests",
    dependencies: ["RealmSync", "SyncSimulation", "Merge", "ChangesetModel", "Changesets", "RealmStorage", "Randomness", "TestSupport"],
    swiftSettings: testing),
  .testTarget(
    name: "SyncProtocolTests", dependencies: ["SyncProtocol", "Changesets", "Compression", "Randomness", "TestSupport"], swiftSettings: testing),
  .testTarget(name: "RealmQueryTests", dependencies: ["RealmQuery", "RealmStorage", "Randomness", "TestSupport"], swiftSettings: testing),
  .testTarget(
    name: "RealmSwiftTests",
    dependencies: ["RealmSwift", "RealmStorage", "RealmInspection", "Randomness", "TestSupport", "regnum-test-agent", "realm"], swiftSettings: testing
  ),
  // The SDK beside actors, as a program in Swift 6 mode uses it: only what is public.
  .testTarget(name: "RealmActorTests", dependencies: ["RealmSwift", "TestSupport"], swiftSettings: testing),
  .testTarget(name: "RealmOpenCombineTests", dependencies: ["RealmOpenCombine", "RealmSwift", "TestSupport"], swiftSettings: testing),
  .testTarget(
    name: "RealmObservabilityTests",
    dependencies: ["RealmObservability", "RealmSwift", "TestSupport", .product(name: "MetricsTestKit", package: "swift-metrics")],
    swiftSettings: testing),
  .testTarget(
    name: "ToolTests",
    dependencies: [
      "RealmStorage", "RealmSync", "RealmInspection", "Randomness", "TestSupport", "realm", "conformance", "regnum-fuzz", "regnum-soak",
    ],
    swiftSettings: testing),
  .testTarget(
    name: "StudioServiceTests", dependencies: ["StudioService", "RealmStorage", "RealmQuery", "RealmInspection", "Randomness", "TestSupport"],
    swiftSettings: testing),
  // The rules that no compiler knows; reads the sources as text.
  .testTarget(name: "TidyTests", swiftSettings: testing),
]

let package = Package(
  name: "regnum",
  products: [
    .library(name: "RealmSwift", targets: ["RealmSwift"]),
    // Publishers of changes for OpenCombine. Whoever depends on RealmSwift only does not build it.
    .library(name: "RealmOpenCombine", targets: ["RealmOpenCombine"]),
    // The same for swift-log and swift-metrics.
    .library(name: "RealmObservability", targets: ["RealmObservability"]),
  ]
    + (isFetched
      ? []
      : [
        // For the package in Benchmarks/, which runs them beside their peers.
        .library(name: "EngineWorkloads", targets: ["EngineWorkloads", "Randomness"]),
        // For the package in Studio/, which serves it to a browser.
        .library(name: "StudioService", targets: ["StudioService"]),
        .executable(name: "realm", targets: ["realm"]),
        .executable(name: "conformance", targets: ["conformance"]),
      ]),
  traits: [
    .trait(name: "Encryption", description: "Encrypted files. Without it the library fetches and builds no cryptography, and refuses keys."),
    .trait(name: "OpenCombine", description: "What the product RealmOpenCombine needs: publishers where there is no Combine."),
    .trait(name: "Observability", description: "What the product RealmObservability needs: swift-log and swift-metrics."),
    .default(enabledTraits: isFetched ? ["Encryption"] : ["Everything"]),
    .trait(name: "Everything", description: "All of the above; what a checkout of the package is built with."),
    .trait(
      name: "OtherRuntimeModule",
      description: "For programs with another module called Runtime than Swift's. Texts that end the process name no line of the caller then."),
  ],
  dependencies: [
    // The fast ciphers are in a module inside that has no stability promise (`BoringCipherCore`): a new minor version is tried before it is allowed.
    .package(url: "https://github.com/apple/swift-crypto", .upToNextMinor(from: "4.5.2")),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
  ] + (isFetched ? [] : [.package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")]),
  targets: libraries + (isFetched ? [] : development)
)
