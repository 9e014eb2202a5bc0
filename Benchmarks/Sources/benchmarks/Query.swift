import EngineWorkloads
import Randomness

/// One query with its constants.
enum Query {
  case age(Int64)
  case created(ClosedRange<Int64>)
  case scoreBelow(Double)
  case name([UInt8])
  case nameContains([UInt8], ignoresCase: Bool)
  case three(age: Int64, score: Double, created: Int64)
  case sumOfAges, averageOfScores, smallestCreated, largestScore, sumsOfScoresByAge
  case department(ClosedRange<Int64>)
  case createdAmong([Int64])
  case sorted(EngineStore.SortProperty, limit: Int?)
  case indexedNames([[UInt8]], total: Int)
}

/// What a query answers; orders are checked by a sum that depends on the place of each key.
struct Answer: Equatable, CustomStringConvertible {
  var number: Double = 0
  var order: UInt64 = 0
  var description: String { order == 0 ? "\(number)" : "order \(order) of \(number)" }

  init(_ number: Int) { self.number = Double(number) }
  init(_ number: Int64) { self.number = Double(number) }
  init(_ number: Double) { self.number = number }
  init() {}

  /// Groups with their numbers, each of which counts by its group.
  init(groups: some Sequence<(key: Int64, value: Double)>) { for (key, value) in groups { number += Double(key + 1) * value } }

  mutating func append(_ key: Int64) {
    number += 1
    order = (order &* 0x9E37_79B9_7F4A_7C15) ^ UInt64(bitPattern: key)
  }
  /// SQLite adds up in another order than we do.
  func agrees(with other: Answer) -> Bool { order == other.order && abs(number - other.number) <= abs(number) * 1e-9 }
}

extension Query {
  /// The constants of one repetition.
  static func make(_ workload: Workload, _ people: People, _ random: inout SeededGenerator) -> Query {
    func name(_ row: Int) -> [UInt8] { Array(people.names[people.nameRange(row)]) }
    func row() -> Int { Int(random.below(people.count)) }
    switch workload {
    case .intEquality: return .age(Int64(random.below(100)))
    case .intRange:
      let low = Int64(random.below(1 << 30)) - 1 << 30
      return .created(low...low + 1 << 30)
    case .doubleComparison: return .scoreBelow(Double(random.below(1000)))
    case .stringEquality: return .name(name(row()))
    case .contains: return .nameContains(Array(name(row())[6..<9]), ignoresCase: false)
    case .containsFolded:
      return .nameContains(name(row())[6..<9].map { $0 >= 0x61 && $0 <= 0x7A ? $0 - 0x20 : $0 }, ignoresCase: true)
    case .threePredicates: return .three(age: 20 + Int64(random.below(60)), score: 500, created: 0)
    case .sumInt: return .sumOfAges
    case .averageDouble: return .averageOfScores
    case .minInt: return .smallestCreated
    case .maxDouble: return .largestScore
    case .groupBySum: return .sumsOfScoresByAge
    case .linkFilter:
      let low = Int64(random.below(60))
      return .department(low...low + 39)
    case .inTenThousand:
      return .createdAmong((0..<10_000).map { $0 % 2 == 0 ? people.created[row()] : Int64(Int32(truncatingIfNeeded: random.next())) })
    case .sortInt: return .sorted(.created, limit: nil)
    case .sortString: return .sorted(.name, limit: nil)
    case .sortFirst100: return .sorted(.score, limit: 100)
    default:
      var counts = [Int](repeating: 0, count: People.distinctNameCount)
      for index in people.nameIndexes { counts[Int(index)] += 1 }
      let rows = (0..<20_000).map { _ in row() }
      return .indexedNames(rows.map(name), total: rows.reduce(0) { $0 + counts[Int(people.nameIndexes[$1])] })
    }
  }

  /// By plain loops over the rows.
  func expected(_ people: People) -> Answer {
    func count(_ test: (Int) -> Bool) -> Answer { Answer((0..<people.count).count(where: test)) }
    func name(_ row: Int) -> ArraySlice<UInt8> { people.names[people.nameRange(row)] }
    switch self {
    case .age(let age): return count { people.ages[$0] == age }
    case .created(let range): return count { range.contains(people.created[$0]) }
    case .scoreBelow(let limit): return count { people.scores[$0] < limit }
    case .name(let text): return count { name($0).elementsEqual(text) }
    case .nameContains(let text, let ignoresCase):
      let wanted = ignoresCase ? text.map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 } : text
      let matches = (0..<People.distinctNameCount).map { index in
        let text = people.names[index * People.nameByteCount..<(index + 1) * People.nameByteCount]
        return text.indices.contains { text[$0...].starts(with: wanted) }
      }
      return count { matches[Int(people.nameIndexes[$0])] }
    case .three(let age, let score, let created): return count { people.ages[$0] > age && people.scores[$0] < score && people.created[$0] > created }
    case .sumOfAges: return Answer(people.ages.reduce(0, +))
    case .averageOfScores: return Answer(people.scores.reduce(0, +) / Double(people.count))
    case .smallestCreated: return Answer(people.created.min()!)
    case .largestScore: return Answer(people.scores.max()!)
    case .sumsOfScoresByAge:
      var sums: [Int64: Double] = [:]
      for row in 0..<people.count { sums[people.ages[row], default: 0] += people.scores[row] }
      return Answer(groups: sums.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) })
    case .department(let range): return count { range.contains(people.departments[$0]) }
    case .createdAmong(let values):
      let set = Set(values)
      return count { set.contains(people.created[$0]) }
    case .sorted(let property, let limit):
      let order: [Int]
      switch property {
      case .created: order = (0..<people.count).sorted { (people.created[$0], $0) < (people.created[$1], $1) }
      case .score: order = (0..<people.count).sorted { (people.scores[$0], $0) < (people.scores[$1], $1) }
      case .name:
        let names = (0..<People.distinctNameCount).sorted { a, b in
          people.names[a * People.nameByteCount..<(a + 1) * People.nameByteCount].lexicographicallyPrecedes(
            people.names[b * People.nameByteCount..<(b + 1) * People.nameByteCount])
        }
        var ranks = [Int](repeating: 0, count: names.count)
        for (rank, index) in names.enumerated() { ranks[index] = rank }
        order = (0..<people.count).sorted { (ranks[Int(people.nameIndexes[$0])], $0) < (ranks[Int(people.nameIndexes[$1])], $1) }
      }
      var answer = Answer()
      for row in order.prefix(limit ?? people.count) { answer.append(people.keys[row]) }
      return answer
    case .indexedNames(_, let total): return Answer(total)
    }
  }
}
