import EngineWorkloads
import Randomness

/// Measures the queries: our engine beside SQLite, on copies of nothing: queries change nothing but for the index of the last one.
final class QueryRunner {
  private let people: People
  private let options: Options
  private let paths: (engine: String, sqlite: String)
  private var random: SeededGenerator
  private(set) var figures: [Figure] = []

  init(_ people: People, _ options: Options, engine: String, sqlite: String) {
    (self.people, self.options, paths) = (people, options, (engine, sqlite))
    random = SeededGenerator(seed: options.seed &+ 1)
  }

  func run(_ emit: (Figure) -> Void) throws {
    let engine = try EnginePeer(path: paths.engine)
    let sqlite = options.engineOnly ? nil : try SQLitePeer(path: paths.sqlite)
    for workload in Workload.allCases where workload.isQuery && options.includes(workload) {
      if workload == .indexedStringFind {
        try engine.createNameIndex()
        try sqlite?.createNameIndex()
      }
      let figure = try measure(workload, engine, sqlite)
      figures.append(figure)
      emit(figure)
    }
    try engine.close()
    try sqlite?.close()
  }

  private func measure(_ workload: Workload, _ engine: EnginePeer, _ sqlite: SQLitePeer?) throws -> Figure {
    var samples: [String: [Elapsed]] = [:]
    let operations = workload == .indexedStringFind ? 20_000 : people.count
    let isSort = workload == .sortInt || workload == .sortString
    // One query of ours is over in less than a millisecond: it runs for about as long as SQLite's, so that neither is charged more for caches
    // that the other one has left behind.
    let isLong = isSort || workload == .indexedStringFind
    var rounds = isLong ? 1 : options.queryRounds ?? 8
    var firsts: [Double] = []
    var ownTime = 0.0
    for repetition in 0...(options.repetitions ?? 5) {
      let query = Query.make(workload, people, &random)
      let expected = query.expected(people)
      func check(_ answer: Answer, _ name: String) throws {
        // Rows that are equal in the order may come in any order from SQLite.
        let agrees = name == SQLitePeer.name && isSort ? answer.number == expected.number : expected.agrees(with: answer)
        if !agrees { throw PeerError("\(workload.rawValue): \(name) answers \(answer), not \(expected) (seed \(options.seed))") }
      }
      func engineTurn() throws {
        var answers: [Answer] = []
        let first = try Elapsed.of { answers.append(try engine.answer(query)) }
        let others = try Elapsed.of { for _ in 1..<rounds { answers.append(try engine.answer(query)) } }
        for answer in answers { try check(answer, EnginePeer.name) }
        let elapsed = Elapsed(processor: first.processor + others.processor, wall: first.wall + others.wall)
        record(elapsed, Double(operations * rounds), EnginePeer.name, repetition)
        if repetition % 2 == 1 { firsts.append(first.processor / Double(operations)) }
        ownTime = elapsed.processor / Double(rounds)
      }
      func sqliteTurn() throws {
        guard let sqlite else { return }
        var answer = Answer()
        let elapsed = try Elapsed.of { answer = try sqlite.answer(query) }
        try check(answer, SQLitePeer.name)
        if !isLong, options.queryRounds == nil, ownTime > 0 { rounds = max(8, min(512, Int(elapsed.processor / ownTime))) }
        record(elapsed, Double(operations), SQLitePeer.name, repetition)
      }
      func record(_ elapsed: Elapsed, _ operations: Double, _ name: String, _ repetition: Int) {
        // The first round warms up.
        if repetition == 0 { return }
        samples[name, default: []].append(Elapsed(processor: elapsed.processor / operations, wall: elapsed.wall / operations))
      }
      if repetition % 2 == 0 {
        try engineTurn()
        try sqliteTurn()
      } else {
        try sqliteTurn()
        try engineTurn()
      }
    }
    var figure = Figure(workload: workload, rows: people.count)
    if !isLong, sqlite != nil, !firsts.isEmpty { figure.note = "\(number(firsts.median)) for the first one after SQLite's" }
    for (name, elapsed) in samples {
      figure.medians[name] = elapsed.map(\.processor).median
      figure.wall[name] = elapsed.map(\.wall).median
    }
    return figure
  }
}
