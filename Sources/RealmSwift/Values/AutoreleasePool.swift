/// Runs `body`. There are no pools on this platform: objects are released as soon as nobody refers to them, so that code written
/// with pools works without them. Only realms in memory that are opened in `body` live until it ends.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
  let pool = Pool()
  defer { pool.end() }
  return try Pool.$current.withValue(pool) { try body() }
}
