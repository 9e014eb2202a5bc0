import ArgumentParser
import RealmInspection
import RealmQuery
import RealmStorage

/// What `query` adds up.
struct GroupOptions: ParsableArguments {
  @Option(name: .customLong("group-by"), help: "Print one line for each value of a property instead of objects; may be repeated, or a,b.c.")
  var groupBy: [String] = []
  @Option(help: "The sum of a property, of each group or of all objects; may be repeated, or a,b.") var sum: [String] = []
  @Option(help: "The smallest value of a property.") var min: [String] = []
  @Option(help: "The largest value of a property.") var max: [String] = []
  @Option(name: [.long, .customLong("avg")], help: "The mean of a property.") var average: [String] = []

  var isUsed: Bool { ![groupBy, sum, min, max, average].allSatisfy(\.isEmpty) }

  /// - Throws: `.invalidArgument` for two columns of one name, which no object of JSON can have.
  static func check(columns names: [String]) throws(StorageError) {
    var known: Set<ExactName> = []
    for name in names where !known.insert(ExactName(name)).inserted {
      throw .invalidArgument(reason: "two columns would be called '\(name)'; leave one of them out")
    }
  }

  private typealias Aggregate = (function: AggregateFunction, path: PropertyPath)

  /// - Throws: `.invalidArgument` for a property whose values have no such aggregate.
  private func aggregates(_ table: Table) throws(StorageError) -> [Aggregate] {
    var result: [Aggregate] = []
    for (function, texts) in [(AggregateFunction.sum, sum), (.min, min), (.max, max), (.average, average)] {
      for path in try PropertyPath.list(texts, table) {
        let column = path.property.column
        guard PropertyAggregate(path.owner, column).supports(function) else {
          let type = column.isCollection ? "a collection" : "of type \(TypeWords.word(column.type))"
          throw .invalidArgument(reason: "'\(path.name)' has no \(GroupOptions.word(function)), as it is \(type); choose a property of numbers")
        }
        result.append((function, path))
      }
    }
    return result
  }

  /// Groups the objects of a query.
  /// - Parameter count: whether their number is asked for, too.
  func table(_ plan: QueryPlan, limit: Int?, count: Bool, path: String, _ exporter: Exporter) throws(StorageError) -> (GroupRows, hasMore: Bool) {
    let keys = try PropertyPath.list(groupBy, plan.table)
    for key in keys where key.property.column.isCollection {
      throw .invalidArgument(reason: "'\(key.name)' holds several values; objects are grouped by properties with one")
    }
    let aggregates = try aggregates(plan.table)
    let hasCount = count || aggregates.isEmpty
    let keyTitles = keys.map { MemberName.of($0.name) }
    let titles = keyTitles + (hasCount ? ["count"] : []) + aggregates.map { "\(GroupOptions.word($0.function))_\($0.path.name)" }
    try GroupOptions.check(columns: titles)
    var groups = try Selection.refusing(path, plan.table.group) { () throws(QueryError) in
      try plan.grouped(byLinked: keys.map(\.property), aggregates.map { (function: $0.function, property: $0.path.property) }, exactly: true)
    }
    if let position = GroupRows.firstOfCollections(groups, keys.count) {
      let name = keys[position].name
      let rest = "--group-by takes the others of '\(name).@type != \"collection\"'"
      throw .invalidArgument(reason: "'\(name)' holds lists or dictionaries, by which objects are not grouped; \(rest)")
    }
    let hasMore = limit.map { groups.count > $0 } ?? false
    if let limit { groups = Array(groups.prefix(limit)) }
    let chosen = aggregates.map { $0.function == .min || $0.function == .max ? $0.path.property.column : nil }
    return (try GroupRows(groups, names: titles, columns: keys.map(\.property.column), chosen: chosen, hasCount: hasCount, exporter), hasMore)
  }

  private static func word(_ function: AggregateFunction) -> String {
    switch function {
    case .sum: "sum"
    case .min: "min"
    case .max: "max"
    case .average: "average"
    }
  }
}
