extension Timestamp: Comparable {
  @inline(__always) package static func < (a: Timestamp, b: Timestamp) -> Bool {
    a.seconds == b.seconds ? a.nanoseconds < b.nanoseconds : a.seconds < b.seconds
  }
}

extension ObjectID: Comparable {
  @inline(__always) package static func < (a: ObjectID, b: ObjectID) -> Bool {
    a.high == b.high ? a.low < b.low : a.high < b.high
  }
}

extension UUIDBytes: Comparable {
  @inline(__always) package static func < (a: UUIDBytes, b: UUIDBytes) -> Bool {
    a.high == b.high ? a.low < b.low : a.high < b.high
  }
}

extension ObjectLink: Comparable {
  @inline(__always) package static func < (a: ObjectLink, b: ObjectLink) -> Bool {
    a.table == b.table ? a.key < b.key : a.table < b.table
  }
}
