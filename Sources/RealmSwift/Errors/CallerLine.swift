#if os(Linux) && canImport(Runtime) && !OtherRuntimeModule
  import Foundation
  import Runtime  // Is it another module of that name? The trait `OtherRuntimeModule` of regnum does without it.

  /// Who called the library, for a text that ends the process: properties and subscripts cannot be told, their callers' frames can be looked at.
  enum CallerLine {
    /// Reaches through what the library and the compiler put between a caller and the end.
    private static let frameLimit = 64

    /// What users of the library get; everything else in its sources stands beside them.
    private static let modules = ["RealmSwift", "RealmQuery", "RealmStorage", "RealmOpenCombine", "RealmObservability", "Changesets"]

    /// Optimised callers have functions of the library inside. To ask for them takes the most time by far; where nothing is optimised there are none.
    private static var options: Backtrace.SymbolicationOptions {
      #if DEBUG
        [.showSourceLocations, .useSymbolCache]
      #else
        [.showSourceLocations, .useSymbolCache, .showInlineFrames]
      #endif
    }

    /// Supervisors that start an ended program anew may want to do so at once.
    static var isWanted: Bool { ProcessInfo.processInfo.environment["REALM_CALLER_LINES"] != "no" }

    /// The place, as `/app/Sources/App/main.swift:12`; nil where the program has no debug information, as when it was stripped.
    ///
    /// Names are found at once, lines take 50 ms and more with the size of the program: they are looked up for frames that may be the caller's.
    static func lookUp() -> String? {
      let images = ImageMap.capture()
      let names = try? Backtrace.capture(limit: frameLimit, images: images).symbolicated(with: images, options: .useSymbolCache)
      guard let names else { return nil }
      for (offset, frame) in names.frames.enumerated() {
        guard let symbol = frame.symbol, !symbol.isSwiftThunk, !isLibrary(symbol.rawName) else { continue }
        let one = try? Backtrace.capture(limit: 2, offset: offset, top: 0, images: images).symbolicated(with: images, options: options)
        for located in (one?.frames).map(Array.init) ?? [] {
          guard let symbol = located.symbol, let place = symbol.sourceLocation else { continue }
          if isLibrary(symbol.rawName) || isLibrary(place) || isMade(symbol, place) { continue }
          // What follows an access in place has no line.
          return place.line > 0 ? "\(place.path):\(place.line)" : "\(place.path), in \(symbol.name)"
        }
      }
      return nil
    }

    /// Whether a function is of a type of the library, which its mangled name tells. What others add to such a type counts to it.
    private static func isLibrary(_ name: String) -> Bool { modules.contains { name.hasPrefix("$s\($0.utf8.count)\($0)") } }

    /// Whether it stands in a file of the library, as what that adds to types of others does.
    private static func isLibrary(_ place: SymbolicatedBacktrace.SourceLocation) -> Bool {
      modules.contains { place.path.contains("/Sources/\($0)/") }
    }

    /// Whether the compiler made it, as the setter of a property with a wrapper, which calls nobody of its own accord.
    private static func isMade(_ symbol: SymbolicatedBacktrace.Symbol, _ place: SymbolicatedBacktrace.SourceLocation) -> Bool {
      guard place.line == 0 else { return false }
      return place.path.hasSuffix("<compiler-generated>") || [".getter", ".setter", ".modify", ".read"].contains { symbol.name.hasSuffix($0) }
    }
  }
#else
  /// Nothing here can look at frames.
  enum CallerLine {
    static let isWanted = false
    static func lookUp() -> String? { nil }
  }
#endif
