import ArgumentParser
import RealmInspection
import RealmQuery
import RealmStorage

/// What `query` adds up.
struct GroupOptions: ParsableArguments {
  @Option(name: .customLong("group-by"), help: "Print one line for each value of a property instead of objects; may be repeated, or a,b.")
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

  /// `a,b` are two, and so are `a, b`.
  static func names(_ texts: [String]) -> [String] { texts.flatMap { $0.split(separator: ",").map { String($0.drop { $0 == " " }) } } }

  var aggregates: [(function: AggregateFunction, name: String)] {
    [(AggregateFunction.sum, sum), (.min, min), (.max, max), (.average, average)].flatMap { function, texts in
      GroupOptions.names(texts).map { (function, $0) }
    }
  }

  /// Groups the objects of a query.
  /// - Parameter count: whether their number is asked for, too.
  func table(_ plan: QueryPlan, limit: Int?, count: Bool, path: String, _ exporter: Exporter) throws(StorageError) -> (GroupRows, hasMore: Bool) {
    let names = GroupOptions.names(groupBy)
    var columns: [ColumnDescription] = []
    for name in names {
      let column = try UnknownProperty.column(name, plan.table)
      guard !column.isCollection else { throw .invalidArgument(reason: "'\(name)' holds several values; objects are grouped by properties with one") }
      columns.append(column)
    }
    var wanted: [(function: AggregateFunction, column: ColumnDescription)] = []
    for (function, name) in aggregates {
      let column = try UnknownProperty.column(name, plan.table)
      guard PropertyAggregate(plan.table, column).supports(function) else {
        let type = column.isCollection ? "a collection" : "of type \(TypeWords.word(column.type))"
        throw .invalidArgument(reason: "'\(name)' has no \(GroupOptions.word(function)), as it is \(type); choose a property of numbers")
      }
      wanted.append((function, column))
    }
    let hasCount = count || aggregates.isEmpty
    let titles = names + (hasCount ? ["count"] : []) + aggregates.map { "\(GroupOptions.word($0.function))_\($0.name)" }
    try GroupOptions.check(columns: titles)
    var groups = try Selection.refusing(path, plan.table.group) { () throws(QueryError) in try plan.grouped(by: columns, wanted, exactly: true) }
    let hasMore = limit.map { groups.count > $0 } ?? false
    if let limit { groups = Array(groups.prefix(limit)) }
    return (try GroupRows(groups, names: titles, columns: columns, hasCount: hasCount, exporter), hasMore)
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
