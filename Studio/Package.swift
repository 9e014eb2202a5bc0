// swift-tools-version: 6.2
import PackageDescription

// Realm Studio: a realm file in the browser. A package of its own, so that no web server reaches whoever uses the library.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
]

let package = Package(
  name: "realm-studio",
  products: [.executable(name: "realm-studio", targets: ["realm-studio"])],
  dependencies: [
    .package(name: "regnum", path: ".."),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", .upToNextMinor(from: "4.5.2")),
  ],
  targets: [
    // Who may ask, and the page, which is part of the program.
    .target(
      name: "StudioServer",
      dependencies: [
        .product(name: "StudioService", package: "regnum"), .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"), .product(name: "Crypto", package: "swift-crypto"),
      ],
      resources: [
        .embedInCode("Page/index.html"), .embedInCode("Page/style.css"), .embedInCode("Page/main.js"), .embedInCode("Page/dom.js"),
        .embedInCode("Page/server.js"), .embedInCode("Page/objects.js"), .embedInCode("Page/grid.js"), .embedInCode("Page/detail.js"),
        .embedInCode("Page/query.js"), .embedInCode("Page/file.js"), .embedInCode("Page/schema.js"), .embedInCode("Page/cells.js"),
        .embedInCode("Page/transfer.js"), .embedInCode("Page/events.js"),
      ], swiftSettings: settings),
    .executableTarget(
      name: "realm-studio",
      dependencies: [
        "StudioServer", .product(name: "StudioService", package: "regnum"), .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
  ]
)
