#if canImport(Glibc)
  import RealmStorage

  /// Reads every kind of property from all objects and counts the allocations that this takes.
  struct PropertyReading {
    private let group: Group
    private let table: Table
    private let target: Table
    private let keys: [ObjectKey]

    init(_ group: Group) throws(StorageError) {
      guard let table = try group.table(named: "class_Sample"), let target = try group.table(named: "class_Target") else {
        throw .noSuchTable(name: "class_Sample")
      }
      (self.group, self.table, self.target) = (group, table, target)
      keys = try table.keys()
    }

    /// - Parameter read: returns something of the value, so that it has to be read.
    private func count(_ kind: String, _ read: (ObjectKey) throws(StorageError) -> UInt64) throws(StorageError) {
      var sum: UInt64 = 0
      let allocations = try AllocationCounter.count { () throws(StorageError) in
        // No iterator: without optimisation it takes something from the heap for each element.
        var index = 0
        while index < keys.count {
          sum &+= try read(keys[index])
          index += 1
        }
      }
      Agent.answer("\(kind) \(keys.count) \(allocations) \(sum)")
    }

    private func scalar(_ name: String, _ read: (Row, ColumnKey) throws(StorageError) -> UInt64) throws(StorageError) {
      for prefix in ["", "optional "] {
        let column = try table.column(named: prefix + name).key
        try count(prefix.isEmpty ? name : "optional-" + name) { (key) throws(StorageError) in try read(table.row(key), column) }
      }
    }

    func run() throws(StorageError) {
      let int = try table.column(named: "int").key
      try count("int") { (key) throws(StorageError) in try UInt64(bitPattern: table.row(key).int(int)) }
      let optionalInt = try table.column(named: "optional int").key
      try count("optional-int") { (key) throws(StorageError) in try UInt64(bitPattern: table.row(key).optionalInt(optionalInt) ?? 1) }
      try scalar("bool") { (row, column) throws(StorageError) in try row.bool(column) == true ? 1 : 0 }
      try scalar("double") { (row, column) throws(StorageError) in try row.double(column)?.bitPattern ?? 1 }
      try scalar("float") { (row, column) throws(StorageError) in try UInt64(row.float(column)?.bitPattern ?? 1) }
      try scalar("timestamp") { (row, column) throws(StorageError) in try UInt64(bitPattern: row.timestamp(column)?.seconds ?? 1) }
      try scalar("objectID") { (row, column) throws(StorageError) in try row.objectID(column)?.high ?? 1 }
      try scalar("uuid") { (row, column) throws(StorageError) in try row.uuid(column)?.low ?? 1 }
      try scalar("decimal") { (row, column) throws(StorageError) in try row.decimal(column)?.low ?? 1 }
      try bytes()
      try links()
      let short = try table.column(named: "short")
      // What goes through `Value` copies the bytes: proof that the counter counts.
      try count("control-value") { (key) throws(StorageError) in
        if case .string(let text) = try table.row(key).value(short) { UInt64(text.count) } else { 1 }
      }
    }

    private func bytes() throws(StorageError) {
      for name in ["short", "medium", "long", "optional short", "optional medium", "optional long"] {
        let column = try table.column(named: name)
        try count("text-" + name.replacing(" ")) { (key) throws(StorageError) in
          try table.row(key).withText(column) { (text) in if let text { Self.sum(text) } else { 1 } }
        }
      }
      for name in ["data", "optional data"] {
        let column = try table.column(named: name).key
        try count(name.replacing(" ")) { (key) throws(StorageError) in
          try table.row(key).withData(column) { (bytes) in if let bytes { Self.sum(bytes) } else { 1 } }
        }
      }
    }

    private func links() throws(StorageError) {
      let (link, number) = (try table.column(named: "link").key, try target.column(named: "number").key)
      try count("link") { (key) throws(StorageError) in
        guard let other = try table.row(key).link(link) else { return 1 }
        return try UInt64(bitPattern: target.row(other).int(number))
      }
      let int = try table.column(named: "int").key
      var row = 0
      try count("lookup") { (_) throws(StorageError) in
        let found = try table.row(primaryKey: SampleTable.id(row))
        row += 1
        return try UInt64(bitPattern: found?.int(int) ?? 0)
      }
    }

    private static func sum(_ bytes: RawSpan) -> UInt64 {
      var sum: UInt64 = 0
      // SAFETY: a byte has no padding.
      for index in 0..<bytes.byteCount { sum &+= UInt64(unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)) }
      return sum
    }
  }

  extension String {
    fileprivate func replacing(_ space: Character) -> String { String(map { $0 == space ? "-" : $0 }) }
  }
#endif
