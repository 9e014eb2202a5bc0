import EngineWorkloads
import Glibc

struct Options {
  var rows = [100_000, 1_000_000]
  var only: [String] = []
  var repetitions: Int?
  var queryRounds: Int?
  var seed: UInt64 = 0x52_65_67_6E_75_6D
  var identifiers = People.Identifiers.sparse
  var printsJSON = false
  var engineOnly = false

  static let usage = """
    usage: benchmarks [--rows N]... [--only WORKLOAD]... [--repetitions N] [--rounds N] [--seed N] [--engine-only] [--json]
      --rows          rows of the table; may be repeated (100000 and 1000000)
      --only          one workload; may be repeated: \(Workload.allCases.map(\.rawValue).joined(separator: ", "))
      --repetitions   of each workload (five, three for the slow ones of a million rows)
      --rounds        how often a query of ours runs after one of SQLite's (as often as takes the same time); 1 meets cold caches only
      --seed          of rows and orders
      --identifiers   of the workloads with random keys: sparse (63 bits) or shuffled (the numbers from 0 in no order)
      --engine-only   leaves the peers out, for a profiler
      --json          prints one JSON object for each figure instead of the table
    """

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    var rows: [Int] = []
    func number(_ option: String) throws -> UInt64 {
      guard let text = rest.popFirst(), let value = UInt64(text), value > 0 else { throw PeerError("\(option) needs a number\n\(Self.usage)") }
      return value
    }
    while let option = rest.popFirst() {
      switch option {
      case "--rows": rows.append(Int(try number(option)))
      case "--only":
        guard let name = rest.popFirst(), Workload(rawValue: name) != nil else { throw PeerError("--only needs a workload\n\(Self.usage)") }
        only.append(name)
      case "--repetitions": repetitions = Int(try number(option))
      case "--rounds": queryRounds = Int(try number(option))
      case "--seed": seed = try number(option)
      case "--identifiers":
        guard let kind = rest.popFirst().flatMap(People.Identifiers.init(rawValue:)), kind != .counted else {
          throw PeerError("--identifiers needs sparse or shuffled\n\(Self.usage)")
        }
        identifiers = kind
      case "--engine-only": engineOnly = true
      case "--json": printsJSON = true
      default: throw PeerError("unknown option \(option)\n\(Self.usage)")
      }
    }
    if !rows.isEmpty { self.rows = rows }
  }

  func includes(_ workload: Workload) -> Bool { only.isEmpty || only.contains(workload.rawValue) }
}
