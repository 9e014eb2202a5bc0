/// Finds what was probably meant by a name that does not exist.
package enum NearestName {
  /// Nil if none is near: every third letter may be another one, or the same letters may stand in another order.
  package static func of(_ name: String, _ names: [String]) -> String? {
    let folded = name.lowercased()
    let near = names.map { (name: $0, distance: distance(folded, $0.lowercased())) }.filter {
      $0.distance <= Swift.max(1, Swift.min(3, name.count / 3)) || folded.sorted() == $0.name.lowercased().sorted()
    }
    return near.min { $0.distance < $1.distance }?.name
  }

  /// How many letters have to be put in, left out or replaced to make one text of the other.
  private static func distance(_ a: String, _ b: String) -> Int {
    let (x, y) = (Array(a), Array(b))
    var row = Array(0...y.count)
    for (i, letter) in x.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in y.enumerated() {
        let replaced = diagonal + (letter == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = Swift.min(replaced, row[j] + 1, diagonal + 1)
      }
    }
    return row[y.count]
  }
}
