/// What is measured, and what issue 2 demands of it.
enum Workload: String, CaseIterable {
  case bulkInsert, pointLookup, beginEndRead, fullScan, updateRandom, deleteRandom, createStringIndex, openFirstReadClose
  case bytesPerRow, peakMemoryGrowth
  /// The file after 100 transactions that each change all properties of a hundredth of the rows, neighbours or drawn from everywhere.
  case rewrittenNeighbours, rewrittenScattered
  /// The same with keys in no order (`--identifiers`).
  case bulkInsertRandomKeys, pointLookupRandomKeys

  var hasRandomKeys: Bool { self == .bulkInsertRandomKeys || self == .pointLookupRandomKeys }

  /// Our engine has to be faster by these factors.
  var bars: [(peer: String, factor: Double)] {
    switch self {
    case .bulkInsert, .bulkInsertRandomKeys: [(SQLitePeer.name, 1.2)]
    case .pointLookup, .pointLookupRandomKeys: [(SQLitePeer.name, 1.5), (LMDBPeer.name, 1.5)]
    case .fullScan: [(SQLitePeer.name, 20)]
    case .updateRandom: [(SQLitePeer.name, 2.5), (LMDBPeer.name, 2)]
    case .deleteRandom: [(SQLitePeer.name, 1.5)]
    case .createStringIndex: [(SQLitePeer.name, 1.5)]
    case .openFirstReadClose: [(SQLitePeer.name, 1)]
    case .beginEndRead, .bytesPerRow, .peakMemoryGrowth, .rewrittenNeighbours, .rewrittenScattered: []
    }
  }

  /// Our own figure has to stay at or below this.
  var limit: Double? {
    switch self {
    case .beginEndRead: 100
    case .bytesPerRow: 51
    case .peakMemoryGrowth: 2
    case .rewrittenNeighbours: 1.5
    default: nil
    }
  }

  var unit: String {
    switch self {
    case .bytesPerRow: "bytes/row"
    case .peakMemoryGrowth: "x file"
    case .rewrittenNeighbours, .rewrittenScattered: "x compact"
    default: "ns/op"
    }
  }

  /// Repetitions take long and start from a fresh copy of the database.
  var isSlow: Bool {
    switch self {
    case .bulkInsert, .bulkInsertRandomKeys, .updateRandom, .deleteRandom, .createStringIndex: true
    default: false
    }
  }
}
