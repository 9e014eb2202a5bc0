/// What is measured, and what we demand of it.
enum Workload: String, CaseIterable {
  case bulkInsert, pointLookup, beginEndRead, fullScan, updateRandom, deleteRandom, createStringIndex, openFirstReadClose
  case bytesPerRow, peakMemoryGrowth
  case intEquality, intRange, doubleComparison, stringEquality, contains, containsFolded, threePredicates
  case sumInt, averageDouble, minInt, maxDouble, groupBySum, linkFilter, inTenThousand, sortInt, sortString, sortFirst100, indexedStringFind
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
    case .intEquality: [(SQLitePeer.name, 150)]
    case .intRange: [(SQLitePeer.name, 100)]
    case .doubleComparison: [(SQLitePeer.name, 25)]
    case .stringEquality: [(SQLitePeer.name, 12)]
    case .contains, .containsFolded: [(SQLitePeer.name, 6)]
    case .threePredicates: [(SQLitePeer.name, 20)]
    case .sumInt, .averageDouble, .minInt, .maxDouble: [(SQLitePeer.name, 30)]
    case .groupBySum: [(SQLitePeer.name, 10)]
    case .linkFilter, .sortFirst100: [(SQLitePeer.name, 10)]
    case .inTenThousand: [(SQLitePeer.name, 1)]
    case .sortInt: [(SQLitePeer.name, 5)]
    case .sortString: [(SQLitePeer.name, 3)]
    case .indexedStringFind: [(SQLitePeer.name, 1.5)]
    }
  }

  /// Our own figure has to stay at or below this.
  var limit: Double? {
    switch self {
    case .beginEndRead: 50
    case .bytesPerRow: 51
    case .peakMemoryGrowth: 2
    case .rewrittenNeighbours: 1.5
    default: nil
    }
  }

  var unit: String {
    switch self {
    case .bytesPerRow: "bytes/row"
    case _ where isQuery && self != .indexedStringFind: "ns/row"
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

  /// Measured against SQLite alone.
  var isQuery: Bool {
    switch self {
    case .intEquality, .intRange, .doubleComparison, .stringEquality, .contains, .containsFolded, .threePredicates, .sumInt, .averageDouble,
      .minInt, .maxDouble, .groupBySum, .linkFilter, .inTenThousand, .sortInt, .sortString, .sortFirst100, .indexedStringFind:
      true
    default: false
    }
  }
}
