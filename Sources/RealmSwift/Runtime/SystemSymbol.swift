import Foundation

/// Functions that are looked for while the program runs.
enum SystemSymbol {
  /// A C function; nil where it cannot be found, as in statically linked programs.
  /// - Parameter type: of the function, with `@convention(c)`: who asks knows it, and says from where.
  @unsafe static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
    #if canImport(Darwin)
      let anywhere = UnsafeMutableRawPointer(bitPattern: -2)
    #else
      let anywhere: UnsafeMutableRawPointer? = nil
    #endif
    guard let address = unsafe dlsym(anywhere, name) else { return nil }
    // SAFETY: a C function is passed on as its address; that it is of this type is on the caller.
    return unsafe unsafeBitCast(address, to: type)
  }
}
