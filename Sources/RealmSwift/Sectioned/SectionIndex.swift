/// How sorted elements are divided: where each section is, and to which section a position belongs.
///
/// Sections whose elements are next to each other, as they are when the order follows the key, take one number each.
struct SectionIndex<Key: Hashable> {
  private enum Places {
    /// The first position of each section; it goes on to the next one's.
    case runs([Int])
    /// The positions of each section.
    case scattered([[Int]])
  }

  /// In order of first occurrence.
  private(set) var keys: [Key] = []
  /// How many elements there are.
  private(set) var elementCount = 0
  private var numbers: [Key: Int] = [:]
  private var places = Places.runs([])

  init() {}

  /// - Parameters:
  ///   - keys: none twice.
  ///   - starts: the first position of each section, ascending.
  init(runs keys: [Key], starts: [Int], elementCount: Int) {
    (self.keys, self.elementCount, places) = (keys, elementCount, .runs(starts))
    numbers = Dictionary(uniqueKeysWithValues: zip(keys, keys.indices))
  }

  /// The same sections, with other counts.
  /// - Parameter starts: one for each, ascending.
  func moving(to starts: [Int], elementCount: Int) -> SectionIndex {
    var moved = self
    (moved.places, moved.elementCount) = (.runs(starts), elementCount)
    return moved
  }

  /// Appends an element.
  mutating func append(_ key: Key) {
    let position = elementCount
    elementCount += 1
    if let last = keys.last, last == key, case .runs = places { return }
    if let number = numbers[key] { return append(position, toOld: number) }
    numbers[key] = keys.count
    keys.append(key)
    switch places {
    case .runs(var starts):
      places = .runs([])
      starts.append(position)
      places = .runs(starts)
    case .scattered(var positions):
      places = .runs([])
      positions.append([position])
      places = .scattered(positions)
    }
  }

  private mutating func append(_ position: Int, toOld number: Int) {
    var positions: [[Int]]
    switch places {
    case .runs(let starts):
      positions = starts.indices.map { Array(starts[$0]..<($0 + 1 < starts.count ? starts[$0 + 1] : position)) }
    case .scattered(let present): positions = present
    }
    // Nobody else may hold the array while it grows.
    places = .runs([])
    positions[number].append(position)
    places = .scattered(positions)
  }

  // MARK: Places

  /// The place of a key among the keys.
  func number(of key: Key) -> Int? { numbers[key] }

  /// How many elements have a key.
  func count(of key: Key) -> Int { numbers[key].map { count(ofSection: $0) } ?? 0 }

  /// How many elements a section has.
  func count(ofSection number: Int) -> Int {
    switch places {
    case .runs(let starts): end(number, starts) - starts[number]
    case .scattered(let positions): positions[number].count
    }
  }

  /// Where an element of a section is in the results.
  /// - Precondition: `item` is below the section's count.
  func position(_ item: Int, in key: Key) -> Int {
    guard let number = numbers[key] else { preconditionFailure("no such section") }
    switch places {
    case .runs(let starts):
      precondition(item < end(number, starts) - starts[number])
      return starts[number] + item
    case .scattered(let positions): return positions[number][item]
    }
  }

  /// Where the elements with a key are in the results, ascending.
  func positions(of key: Key) -> [Int] {
    guard let number = numbers[key] else { return [] }
    return switch places {
    case .runs(let starts): Array(starts[number]..<end(number, starts))
    case .scattered(let positions): positions[number]
    }
  }

  private func end(_ number: Int, _ starts: [Int]) -> Int { number + 1 < starts.count ? starts[number + 1] : elementCount }

  /// The first position of each section; nil unless the elements of each are next to each other.
  var starts: [Int]? { if case .runs(let starts) = places { starts } else { nil } }
}
