/// Runs `body`. There are no pools on this platform, and objects are released as soon as nobody refers to them, so that code written
/// with pools works without them.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
