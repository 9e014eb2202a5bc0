/// A sum over many things, each of which takes some work to find out, that only matters below a limit: given up as soon as those that were
/// looked at, scattered over all, exceed it or would if the others were like them.
struct Sampling {
  private let count: Int
  private let limit: Int
  private let stride: Int
  private var position = 0
  private var done = 0
  private(set) var total = 0

  /// - Parameter limit: the sum has to be less.
  init(of count: Int, below limit: Int) {
    (self.count, self.limit) = (count, limit)
    // The golden section scatters best; without a common divisor every position comes once.
    func divisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : divisor(b, a % b) }
    var stride = max(count * 618 / 1000, 1)
    while count > 1 && divisor(count, stride) > 1 { stride += 1 }
    self.stride = stride
  }

  /// The next one to look at; nil if all were.
  mutating func next() -> Int? {
    if done == count { return nil }
    defer {
      done += 1
      position = (position + stride) % count
    }
    return position
  }

  /// - Returns: false if the limit is or will be exceeded.
  mutating func add(_ number: Int) -> Bool {
    total += number
    if total >= limit { return false }
    // The first one says nothing, two or three say little.
    return done < 2 || total < (done < 4 ? 2 : 1) * limit * done / count
  }
}
