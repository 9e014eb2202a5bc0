import ArgumentParser
import Foundation
import RealmInspection
import RealmQuery
import RealmStorage

struct QueryConformance: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queries", abstract: "Check measured queries and aggregates over a file.",
    discussion: "Example: conformance queries querydata.realm queries.json")

  @Argument(help: "The file that the queries run on.") var file: String
  @Argument(help: "Vectors, quirks and aggregates with their results.") var vectors: String
  @Flag(help: "Also print what passed.") var verbose = false
  @Flag(help: "Answer without indexes.") var ignoreIndexes = false
  @Flag(help: "Evaluate each condition object by object.") var eachObject = false
  @Flag(help: "Wrap each condition into two negations.") var negateTwice = false
  @Option(help: ArgumentHelp("Take one of so many.", valueName: "count")) var oneOf = 1
  @Option(help: ArgumentHelp("Leave out so many in front, with --one-of.", valueName: "count")) var skip = 0

  func validate() throws {
    guard oneOf > 0, (0..<oneOf).contains(skip) else { throw ValidationError("--one-of is at least 1, and --skip from 0 to one below it.") }
  }

  /// Every how manieth element is taken.
  private func sample<Element>(_ elements: [Element]) -> [(number: Int, element: Element)] {
    stride(from: skip, to: elements.count, by: oneOf).map { ($0 + 1, elements[$0]) }
  }

  func run() throws {
    let file = try open()
    guard let data = FileManager.default.contents(atPath: vectors) else { throw failure("\(vectors): cannot be read; give a file of query vectors") }
    let document: QueryVectors
    do { document = try QueryVectors(data) } catch { throw failure("\(vectors) is no file of query vectors: \(error)") }
    var (passed, failed) = (0, 0)
    func report(_ id: String, _ problem: String?) {
      if let problem { print("\(id): \(problem)") } else if verbose { print("\(id): passed") }
      if problem == nil { passed += 1 } else { failed += 1 }
    }
    var options: QueryPlan.Options = []
    if ignoreIndexes { options.insert(.ignoresIndexes) }
    if eachObject { options.insert(.evaluatesEachObject) }
    let runner = QueryRunner(group: file.group, options: options, negatesTwice: negateTwice)
    var corrected: [VectorCorrection] = []
    for (_, vector) in sample(document.vectors + document.quirks) {
      let correction = VectorCorrection.of(vector)
      report(vector.id, runner.problem(vector, correction))
      if let correction { corrected.append(correction) }
    }
    for (number, aggregate) in sample(document.aggregates) {
      for problem in runner.problems(aggregate).prefix(1) { report("aggregate#\(number) \(aggregate.query) \(aggregate.property)", problem) }
    }
    for correction in corrected {
      print("\(correction.id): compared with \(correction.count) objects, not with the recorded answer: \(correction.reason)")
    }
    print("queries: \(passed) passed, \(failed) failed")
    if failed > 0 || passed == 0 { throw ExitCode(Diagnostics.Status.negative) }
  }

  private func failure(_ message: String) -> ExitCode {
    try? FileHandle.standardError.write(contentsOf: Data("error: \(message)\n".utf8))
    return ExitCode(Diagnostics.Status.unreadable)
  }

  private func open() throws -> (snapshot: Snapshot, group: Group) {
    do throws(StorageError) {
      let snapshot = try Database.openForInspection(path: file).snapshot()
      return (snapshot, try snapshot.openGroup())
    } catch { throw failure(Diagnostics.message(error, path: file)) }
  }
}

/// Runs single vectors.
struct QueryRunner {
  let group: Group
  let options: QueryPlan.Options
  let negatesTwice: Bool

  /// What is wrong; nil if the vector passes.
  func problem(_ vector: QueryVectors.Vector, _ correction: VectorCorrection? = nil) -> String? {
    let keys: [String]
    do { keys = try run(vector) } catch let error as QueryError {
      return difference(error, vector).map { "\(vector.query)\n    \($0)" }
    } catch { return "\(vector.query)\n    cannot be run: \(error)" }
    if let expected = vector.error {
      return "\(vector.query)\n    expected \(expected.code) '\(expected.message ?? "")', got \(keys.count) objects"
    }
    let digest = Conformance.digest(Array(keys.joined(separator: "\n").utf8))
    let (count, hash) = correction.map { ($0.count, $0.hash) } ?? (vector.count, vector.hash)
    if keys.count == count && digest == hash { return nil }
    return "\(vector.query)\n    expected \(count) objects \(vector.first.prefix(8)), got \(keys.count) objects \(keys.prefix(8))"
  }

  private func difference(_ error: QueryError, _ vector: QueryVectors.Vector) -> String? {
    guard let expected = vector.error else { return "expected \(vector.count) objects, got \(error)" }
    guard case .invalid(let code, let message, _) = error else { return "expected an error, got \(error)" }
    if expected.code == "any" { return nil }
    let isRightCode = expected.code == "none" || expected.code == code.name
    let isRightMessage = expected.prefix.map { message.hasPrefix($0) } ?? (message == expected.message)
    if isRightCode && isRightMessage { return nil }
    return "expected \(expected.code) '\(expected.prefix ?? expected.message ?? "")', got \(code.name) '\(message)'"
  }

  private func table(_ name: String) throws -> Table {
    guard let table = try group.table(named: "class_" + name) else { throw QueryVectors.Malformed(place: "class \(name)") }
    return table
  }

  /// The primary keys of the result as text.
  private func run(_ vector: QueryVectors.Vector) throws -> [String] {
    let table = try table(vector.className)
    var names = NameTable()
    for alias in vector.mapping {
      if alias.count == 3 { names.add(property: alias[1], in: alias[0], target: alias[2]) } else { names.add(class: alias[0], target: alias[1]) }
    }
    let values = QueryValues(group)
    let arguments = try vector.arguments.map(values.argument)
    var query = try vector.isFormat ? PredicateFormat.parse(vector.query, arguments: arguments) : Query(vector.query, arguments: arguments)
    if negatesTwice { query.condition = !(!query.condition) }
    let keys = try execute(query.bind(table, in: group, names: names))
    let column = try table.primaryKeyColumn ?? table.column(named: "n")
    return try keys.map { try table.row($0).value(column).keyText }
  }

  private func execute(_ plan: QueryPlan) throws -> [ObjectKey] {
    var plan = plan
    plan.options = options
    guard options.contains(.evaluatesEachObject) else { return try plan.execute() }
    return try plan.arrange(plan.table.keys().filter { try plan.matches($0) })
  }

  // MARK: Aggregates

  /// One problem, or nil, for the whole aggregate.
  func problems(_ vector: QueryVectors.Aggregate) -> [String?] {
    do {
      let table = try table(vector.className)
      var plan = try Query(vector.query).bind(table, in: group)
      plan.options = options
      let keys = try execute(plan)
      if keys.count != vector.count { return ["expected \(vector.count) objects, got \(keys.count)"] }
      let aggregate = try PropertyAggregate(table, vector.property)
      for (name, expected) in vector.results.sorted(by: { $0.key < $1.key }) {
        guard let function = AggregateFunction(rawValue: name) else { continue }
        if let problem = try problem(aggregate, function, plan, keys, expected, vector.values) { return ["\(name): \(problem)"] }
      }
      return [nil]
    } catch { return ["cannot be run: \(error)"] }
  }

  private func problem(
    _ aggregate: PropertyAggregate, _ function: AggregateFunction, _ plan: QueryPlan, _ keys: [ObjectKey], _ expected: Any, _ values: Int?
  ) throws -> String? {
    if expected as? String == "unsupported" { return aggregate.supports(function) ? "is unsupported" : nil }
    guard aggregate.supports(function) else { return "is supported" }
    let result = try aggregate.compute(function, over: .keys(keys))
    let byLeaves = try plan.compute(function, aggregate)
    let isExtreme = function == .min || function == .max
    guard isExtreme || byLeaves.count == result.count, byLeaves.value.isClose(to: result.value) else {
      return "is \(byLeaves.value.queryText) of \(byLeaves.count) values leaf by leaf, \(result.value.queryText) of \(result.count) object by object"
    }
    if function == .average, let values, result.count != values { return "\(result.count) values took part, expected \(values)" }
    if let other = (expected as? [String: Any])?["other"] as? String {
      return result.value.typeName == other || result.value.queryText == other ? nil : "is \(result.value), expected a \(other)"
    }
    let value = try QueryValues(group).value(expected)
    // NaN has one meaning here, whatever its bits.
    if value.queryText == result.value.queryText { return nil }
    let isSameType = value.typeName == result.value.typeName
    return isSameType && Value.compare(value, result.value) == 0 ? nil : "is \(result.value.queryText), expected \(value.queryText)"
  }
}

extension Value {
  /// Sums of the same numbers in another order.
  fileprivate func isClose(to other: Value) -> Bool {
    if queryText == other.queryText || Value.compare(self, other) == 0 { return true }
    guard case .double(let x) = self, case .double(let y) = other else { return false }
    return abs(x - y) <= 1e-9 * max(abs(x), abs(y))
  }

  /// As the vectors write primary keys.
  fileprivate var keyText: String {
    switch self {
    case .string(let bytes): String(decoding: bytes, as: UTF8.self)
    case .uuid(let id): id.text
    case .objectID(let id): id.text
    case .null: "null"
    default: queryText
    }
  }
}
