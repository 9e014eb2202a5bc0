import Foundation

/// Functions that are looked for while the program runs.
enum SystemSymbol {
  /// Where a function is; nil where it cannot be found, as in statically linked programs.
  static func find(_ name: String) -> UnsafeMutableRawPointer? {
    #if canImport(Darwin)
      let anywhere = UnsafeMutableRawPointer(bitPattern: -2)
    #else
      let anywhere: UnsafeMutableRawPointer? = nil
    #endif
    return unsafe dlsym(anywhere, name)
  }
}
