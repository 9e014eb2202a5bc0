// swift-tools-version: 6.2
import PackageDescription

// A package of its own: SQLite and LMDB are peers to measure against and never reach a user's build.
let package = Package(
  name: "regnum-benchmarks",
  dependencies: [
    .package(name: "regnum", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
    .systemLibrary(name: "CInstructions"),
    // What asking an index costs that is not used then; needs no peers.
    .executableTarget(
      name: "index-benchmarks", dependencies: ["CInstructions", .product(name: "EngineWorkloads", package: "regnum")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "benchmarks", dependencies: ["CSQLite", "CLMDB", .product(name: "EngineWorkloads", package: "regnum")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    // The SDK beside GRDB, which needs no SQLite of its own.
    .executableTarget(
      name: "sdk-benchmarks",
      dependencies: [
        .product(name: "RealmSwift", package: "regnum"), .product(name: "EngineWorkloads", package: "regnum"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    // What telling observers costs, beside GRDB.
    .executableTarget(
      name: "live-benchmarks",
      dependencies: ["CPeak", .product(name: "RealmSwift", package: "regnum"), .product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    // Plain files beside encrypted ones; needs no peers.
    .executableTarget(
      name: "encryption-benchmarks", dependencies: [.product(name: "EngineWorkloads", package: "regnum")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    // What a commit costs in files with many holes; needs no peers.
    .executableTarget(
      name: "commit-benchmarks", dependencies: [.product(name: "EngineWorkloads", package: "regnum")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    // What asynchronous commits cost that share barriers; needs no peers.
    .executableTarget(
      name: "async-benchmarks", dependencies: [.product(name: "RealmSwift", package: "regnum")], swiftSettings: [.swiftLanguageMode(.v6)]),
    // What fixed workloads cost in barriers, calls, bytes and allocations; `counts.py` adds instructions and compares them with `expected-counts.json`. Needs no peers.
    .target(name: "CCounters"),
    // The most memory in use at a time.
    .target(name: "CPeak"),
    .executableTarget(
      name: "count-benchmarks",
      dependencies: [
        "CCounters", .product(name: "RealmSwift", package: "regnum"), .product(name: "EngineWorkloads", package: "regnum"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    // Finds operations whose time grows faster than the number of elements; needs no peers.
    .executableTarget(
      name: "scaling-benchmarks",
      dependencies: [
        .product(name: "RealmSwift", package: "regnum"), .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    // What a writer costs the readers beside it, and the memory of a long scan; needs no peers.
    .executableTarget(
      name: "reader-benchmarks",
      dependencies: [.product(name: "EngineWorkloads", package: "regnum")], swiftSettings: [.swiftLanguageMode(.v6)]),
    // How large a file is; needs no peers.
    .executableTarget(
      name: "space-benchmarks", dependencies: [.product(name: "EngineWorkloads", package: "regnum")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
