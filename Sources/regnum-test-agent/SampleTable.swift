import RealmStorage

/// A table with a property of every type, required and nullable, and a link.
enum SampleTable {
  static let types: [(name: String, type: ColumnType)] = [
    ("int", .int), ("bool", .bool), ("double", .double), ("float", .float), ("timestamp", .timestamp), ("objectID", .objectID),
    ("uuid", .uuid), ("decimal", .decimal), ("short", .string), ("medium", .string), ("long", .string), ("data", .binary),
  ]

  static func fill(_ database: Database, rows: Int) throws(StorageError) {
    try database.write { (group) throws(StorageError) in
      let target = try group.addTable("class_Target")
      let number = try target.addColumn(ColumnDefinition("number", .int))
      var targets: [ObjectKey] = []
      for index in 0..<100 {
        targets.append(try target.createObject())
        try target.setInt(targets[index], number, Int64(index))
      }
      let table = try group.addTable("class_Sample")
      try table.setPrimaryKey(table.addColumn(ColumnDefinition("id", .int)))
      for (name, type) in types {
        try table.addColumn(ColumnDefinition(name, type))
        try table.addColumn(ColumnDefinition("optional " + name, type, .nullable))
      }
      let link = try table.addColumn(ColumnDefinition("link", .link, target: target.key))
      for row in 0..<rows {
        let key = try table.createObject(primaryKey: id(row))
        for (name, _) in types {
          try table.set(key, table.column(named: name).key, value(name, row))
          if row % 3 != 0 { try table.set(key, table.column(named: "optional " + name).key, value(name, row)) }
        }
        if row % 5 != 0 { try table.set(key, link, .link(targets[row % targets.count])) }
      }
    }
  }

  /// In no order, so that lookups go through the index.
  static func id(_ row: Int) -> Int64 { Int64(row) &* 7_919 ^ 0x5555 }

  private static func value(_ name: String, _ row: Int) -> Value {
    let number = UInt64(row) &* 0x9E37_79B9_7F4A_7C15
    func text(_ byteCount: Int) -> [UInt8] { (0..<byteCount).map { UInt8(97 + ($0 + row) % 26) } }
    return switch name {
    case "int": .int(Int64(bitPattern: number))
    case "bool": .bool(row % 2 == 0)
    case "double": .double(Double(row) / 3)
    case "float": .float(Float(row) / 3)
    case "timestamp": .timestamp(Timestamp(seconds: Int64(row) * 1000, nanoseconds: Int32(row)))
    case "objectID": .objectID(ObjectID(high: number, low: UInt32(row)))
    case "uuid": .uuid(UUIDBytes(high: number, low: UInt64(row)))
    case "decimal": .decimal(Decimal128(Int64(row)))
    case "short": .string(text(row % 12))
    case "medium": .string(text(16 + row % 40))
    case "long": .string(text(64 + row % 400))
    default: .binary(text(row % 100))
    }
  }
}
