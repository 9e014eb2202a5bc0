import EngineWorkloads
import Randomness

/// Runs the workloads at one size: every repetition measures all engines one after another, in an order that changes.
final class Runner {
  private let options: Options
  private let people: People
  private let directory: String
  private let engines: [any Peer.Type]
  private var random: SeededGenerator
  private var samples: [Workload: [String: [Elapsed]]] = [:]
  private(set) var figures: [Figure] = []
  private let emit: (Figure) -> Void

  init(options: Options, rows: Int, directory: String, emit: @escaping (Figure) -> Void) {
    self.options = options
    self.directory = directory
    self.emit = emit
    engines = options.engineOnly ? [EnginePeer.self] : [EnginePeer.self, SQLitePeer.self, LMDBPeer.self]
    people = People(count: rows, seed: options.seed)
    random = SeededGenerator(seed: options.seed ^ UInt64(rows))
  }

  func run() throws {
    if Workload.allCases.contains(where: { !$0.hasRandomKeys && options.includes($0) }) { try runCountedKeys() }
    if Workload.allCases.contains(where: { $0.hasRandomKeys && options.includes($0) }) { try runRandomKeys() }
  }

  private func runCountedKeys() throws {
    try insert(people, .bulkInsert)
    try measureSpace()
    for workload in [Workload.pointLookup, .beginEndRead, .fullScan] where options.includes(workload) { try read(people, workload) }
    if options.includes(.openFirstReadClose) { try open() }
    for workload in [Workload.updateRandom, .deleteRandom, .createStringIndex] where options.includes(workload) { try write(workload) }
    for workload in [Workload.rewrittenNeighbours, .rewrittenScattered] where options.includes(workload) { try rewrite(workload) }
    if Workload.allCases.contains(where: { $0.isQuery && options.includes($0) }) {
      let queries = QueryRunner(people, options, engine: base(EnginePeer.self), sqlite: base(SQLitePeer.self))
      try queries.run(emit)
      figures += queries.figures
    }
    removeFiles()
  }

  private func runRandomKeys() throws {
    let strangers = People(count: people.count, seed: options.seed, identifiers: options.identifiers)
    try insert(strangers, .bulkInsertRandomKeys)
    if options.includes(.pointLookupRandomKeys) { try read(strangers, .pointLookupRandomKeys) }
    removeFiles()
  }

  private func removeFiles() {
    for engine in engines { Files.remove(engine.files(base(engine)) + engine.files(copy(engine))) }
  }

  private func base(_ engine: any Peer.Type) -> String { "\(directory)/\(engine.name)-\(people.count).db" }
  private func copy(_ engine: any Peer.Type) -> String { "\(directory)/\(engine.name)-\(people.count)-copy.db" }

  private func repetitions(_ workload: Workload) -> Int {
    options.repetitions ?? (workload.isSlow && people.count >= 1_000_000 ? 3 : 5)
  }

  private func record(_ workload: Workload, _ engine: any Peer.Type, _ elapsed: Elapsed, operations: Int) {
    let each = Elapsed(processor: elapsed.processor / Double(operations), wall: elapsed.wall / Double(operations))
    samples[workload, default: [:]][engine.name, default: []].append(each)
  }

  private func publish(_ workload: Workload, note: String = "") {
    var figure = Figure(workload: workload, rows: people.count, note: note)
    for (engine, elapsed) in samples[workload] ?? [:] {
      figure.medians[engine] = elapsed.map(\.processor).median
      figure.wall[engine] = elapsed.map(\.wall).median
    }
    publish(figure)
  }
  private func publish(_ figure: Figure) {
    figures.append(figure)
    emit(figure)
  }

  private func expect<Answer: Equatable>(_ answer: Answer, _ expected: Answer, _ workload: Workload, _ engine: any Peer.Type) throws {
    if answer != expected { throw PeerError("\(workload.rawValue): \(engine.name) answers \(answer), not \(expected) (seed \(options.seed))") }
  }

  // MARK: Filling

  /// Leaves a filled database of every engine behind.
  private func insert(_ people: People, _ workload: Workload) throws {
    let reportsGrowth = workload == .bulkInsert && options.includes(.peakMemoryGrowth)
    let isMeasured = options.includes(workload) || reportsGrowth
    var growth: [Double] = []
    for _ in 0..<(isMeasured ? repetitions(workload) : 1) {
      for engine in engines.shuffled(using: &random) {
        Files.remove(engine.files(base(engine)))
        let peer = try engine.init(path: base(engine))
        try ResidentMemory.resetPeak()
        let before = try ResidentMemory.byteCount()
        let elapsed = try Elapsed.of { try peer.insert(people) }
        let peak = try ResidentMemory.peakByteCount()
        record(workload, engine, elapsed, operations: people.count)
        try expect(peer.count(), people.count, workload, engine)
        try peer.close()
        if engine == EnginePeer.self { growth.append(Double(peak - before) / Double(Files.byteCount(base(engine)))) }
      }
    }
    let note = workload.hasRandomKeys ? "\(options.identifiers.rawValue) keys; growth of memory \(number(growth.median)) x file" : ""
    if options.includes(workload) { publish(workload, note: note) }
    if reportsGrowth {
      publish(Figure(workload: .peakMemoryGrowth, rows: people.count, medians: [EnginePeer.name: growth.median]))
    }
  }

  private func measureSpace() throws {
    guard options.includes(.bytesPerRow) else { return }
    let rows = Double(people.count)
    let peer = try EnginePeer(path: base(EnginePeer.self))
    let used = try peer.store.usedByteCounts()
    try peer.close()
    var figure = Figure(workload: .bytesPerRow, rows: people.count)
    for engine in engines { figure.medians[engine.name] = Double(Files.byteCount(base(engine))) / rows }
    figure.note =
      "of ours in use \(number(Double(used.total) / rows)), of which the log of the last transaction \(number(Double(used.history) / rows))"
    publish(figure)
  }

  /// A hundred transactions on a compacted file; the largest size that it reached, relative to that of a compacted copy at the end.
  private func rewrite(_ workload: Workload) throws {
    let (path, compacted) = (copy(EnginePeer.self), copy(EnginePeer.self) + ".compacted")
    Files.remove(EnginePeer.files(path) + [compacted])
    defer { Files.remove([compacted]) }
    let filled = try EnginePeer(path: base(EnginePeer.self))
    try filled.store.writeCompactedCopy(to: path)
    try filled.close()
    let peer = try EnginePeer(path: path)
    let share = people.count / 100
    var (largest, replaced): (Double, UInt64) = (0, 0)
    for part in (0..<100).shuffled(using: &random) {
      let first = workload == .rewrittenNeighbours ? part * share : 0
      let rows = (0..<share).map { workload == .rewrittenNeighbours ? first + $0 : Int.random(in: 0..<people.count, using: &random) }
      try peer.store.rewrite(rows, from: rows.map { _ in Int.random(in: 0..<people.count, using: &random) }, people)
      largest = max(largest, Double(Files.byteCount(path)))
      replaced = max(replaced, try peer.store.spaceUse().replaced)
    }
    let use = try peer.store.spaceUse()
    try peer.store.writeCompactedCopy(to: compacted)
    try peer.close()
    let size = Double(Files.byteCount(compacted))
    var figure = Figure(workload: workload, rows: people.count, medians: [EnginePeer.name: largest / size])
    figure.note =
      "a transaction replaces up to \(number(Double(replaced) / size)) of the file; unused at the end \(number(Double(use.unused) / size))"
    publish(figure)
  }

  // MARK: Reading

  private func read(_ people: People, _ workload: Workload) throws {
    var peers: [(type: any Peer.Type, peer: any Peer)] = []
    for engine in engines { peers.append((engine, try engine.init(path: base(engine)))) }
    let operations = workload == .fullScan ? people.count : 200_000
    for repetition in 0...repetitions(workload) {
      let isLookup = workload == .pointLookup || workload == .pointLookupRandomKeys
      let rows = isLookup ? (0..<operations).map { _ in Int.random(in: 0..<people.count, using: &random) } : []
      let keys = rows.map { people.keys[$0] }
      let expected = workload == .fullScan ? people.ages.reduce(0, +) : rows.reduce(0) { $0 + people.ages[$1] }
      for (engine, peer) in peers.shuffled(using: &random) {
        var answer = expected
        let elapsed = try Elapsed.of {
          switch workload {
          case .pointLookup, .pointLookupRandomKeys: answer = try peer.sumOfAges(keys)
          case .fullScan: answer = try peer.sumOfAllAges()
          default: try peer.beginAndEndReads(operations)
          }
        }
        try expect(answer, expected, workload, engine)
        // The first round warms up.
        if repetition > 0 { record(workload, engine, elapsed, operations: operations) }
      }
    }
    for (_, peer) in peers { try peer.close() }
    publish(workload, note: workload.hasRandomKeys ? "\(options.identifiers.rawValue) keys" : "")
  }

  private func open() throws {
    let operations = 200
    for repetition in 0...repetitions(.openFirstReadClose) {
      let keys = (0..<operations).map { _ in people.keys.randomElement(using: &random)! }
      let expected = keys.reduce(0) { $0 + people.ages[Int($1)] }
      for engine in engines.shuffled(using: &random) {
        let path = base(engine)
        var sum: Int64 = 0
        let elapsed = try Elapsed.of {
          for key in keys {
            switch engine.name {
            case EnginePeer.name: sum += try EngineStore.openReadClose(path: path, key: key)
            case SQLitePeer.name: sum += try SQLitePeer.openReadClose(path, key: key)
            default: sum += try LMDBPeer.openReadClose(path, key: key)
            }
          }
        }
        try expect(sum, expected, .openFirstReadClose, engine)
        if repetition > 0 { record(.openFirstReadClose, engine, elapsed, operations: operations) }
      }
    }
    publish(.openFirstReadClose)
  }

  // MARK: Writing

  /// Every repetition works on a fresh copy of the filled database.
  private func write(_ workload: Workload) throws {
    let operations = workload == .createStringIndex ? people.count : min(100_000, people.count / 2)
    for _ in 0..<repetitions(workload) {
      let keys = Array(people.keys.shuffled(using: &random).prefix(operations))
      let ages = keys.map { _ in Int64(random.below(100)) }
      let name = Array(people.names[people.nameRange(0)])
      let namesakes = people.nameIndexes.count { $0 == people.nameIndexes[0] }
      var expectedAges = people.ages
      for (key, age) in zip(keys, ages) { expectedAges[Int(key)] = age }
      for engine in engines.shuffled(using: &random) {
        Files.remove(engine.files(copy(engine)))
        try Files.copy(base(engine), to: copy(engine))
        let peer = try engine.init(path: copy(engine))
        let elapsed = try Elapsed.of {
          switch workload {
          case .updateRandom: try peer.update(keys, ages: ages)
          case .deleteRandom: try peer.delete(keys)
          default: try peer.createNameIndex()
          }
        }
        record(workload, engine, elapsed, operations: operations)
        switch workload {
        case .updateRandom: try expect(peer.sumOfAllAges(), expectedAges.reduce(0, +), workload, engine)
        case .deleteRandom: try expect(peer.count(), people.count - operations, workload, engine)
        default: try expect(peer.count(name: name), namesakes, workload, engine)
        }
        try peer.close()
      }
    }
    publish(workload)
  }
}
