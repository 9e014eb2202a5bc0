/// Sorts unsigned numbers ascending, byte by byte; bytes that are equal in all numbers cost nothing. Faster than comparing from about a
/// thousand numbers on.
/// - Parameter first: numbers that agree from this bit on are in order already.
package func radixSort(_ items: inout [UInt64], fromBit first: UInt64 = 0) {
  guard items.count >= 1024 else { return items.sort() }
  var varying: UInt64 = 0
  var (previous, isSorted): (UInt64, Bool) = (0, true)
  for item in items {
    varying |= item ^ items[0]
    isSorted = isSorted && previous <= item
    previous = item
  }
  if isSorted { return }
  var spare = [UInt64](repeating: 0, count: items.count)
  for shift in stride(from: first, to: 64, by: 8) as StrideTo<UInt64> where varying >> shift & 0xFF != 0 {
    var places = [Int](repeating: 0, count: 256)
    for item in items { places[Int(item >> shift & 0xFF)] &+= 1 }
    var total = 0
    for digit in 0..<256 { (places[digit], total) = (total, total + places[digit]) }
    for item in items {
      let digit = Int(item >> shift & 0xFF)
      spare[places[digit]] = item
      places[digit] &+= 1
    }
    swap(&items, &spare)
  }
}
