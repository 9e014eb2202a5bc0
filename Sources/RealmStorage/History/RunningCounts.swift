/// Counts in a row, and the sums up to each of them: a binary indexed tree, in which one is changed, and found by the sum before it, in O(log n).
struct RunningCounts {
  /// By a number from 1 on: the sum of as many counts up to that one as its lowest bit says.
  private var sums: [Int]

  init(_ counts: some Sequence<Int>) {
    sums = [0]
    sums.append(contentsOf: counts)
    for number in sums.indices.dropFirst() {
      let next = number + (number & -number)
      if next < sums.count { sums[next] += sums[number] }
    }
  }

  mutating func add(_ difference: Int, at index: Int) {
    var number = index + 1
    while number < sums.count {
      sums[number] += difference
      number += number & -number
    }
  }

  /// The first count with which the sum exceeds a position, and the sum before it; the number of counts, and the sum of all, if none does.
  func place(of position: Int) -> (index: Int, before: Int) {
    var (number, before, step) = (0, 0, 1)
    while step << 1 < sums.count { step <<= 1 }
    while step > 0 {
      if number + step < sums.count, before + sums[number + step] <= position {
        number += step
        before += sums[number]
      }
      step >>= 1
    }
    return (number, before)
  }
}
