package import RealmQuery
package import RealmStorage

/// What is printed of each object under one name: a property of its own, or of an object that links lead to from it.
package struct PathColumn {
  let name: String
  let property: LinkedProperty
  /// The class that has the property.
  let owner: TableKey

  package init(_ name: String, _ property: LinkedProperty, of owner: TableKey) { (self.name, self.property, self.owner) = (name, property, owner) }
}

/// Reads the values of one such column, object by object.
struct PathCells {
  private let property: LinkedProperty
  private let table: Table
  /// The class that has the property, with nothing else.
  private let part: TableDescription
  private let printer: ObjectPrinter
  private let plainPrinter: PlainPrinter
  let exporter: Exporter

  /// - Parameter table: of the objects.
  init(_ column: PathColumn, of table: Table, _ file: OpenFile, expansion: Int) throws(StorageError) {
    (property, self.table) = (column.property, table)
    exporter = Exporter(file, digestLimit: nil, to: MemorySink())
    guard let owner = exporter.index.table(column.owner), let position = owner.position(of: property.column.key) else {
      throw .noSuchColumn(table: table.className, name: column.name)
    }
    part = owner.keeping([position])
    printer = ObjectPrinter(exporter, part)
    plainPrinter = PlainPrinter(exporter, expansion: expansion)
  }

  /// Nil where a link on the way is null.
  private func owner(_ key: ObjectKey) throws(StorageError) -> ObjectKey? { try property.owner(table.row(key))?.key }

  /// The JSON that other programs expect.
  func json(_ key: ObjectKey) throws(StorageError) -> [UInt8] {
    guard let owner = try owner(key) else { return Array("null".utf8) }
    return try plainPrinter.object(owner, part).fields.first ?? []
  }

  /// The field of CSV.
  func field(_ key: ObjectKey) throws(StorageError) -> [UInt8] {
    guard let owner = try owner(key) else { return exporter.nullText ?? [] }
    exporter.output.buffer.removeAll(keepingCapacity: true)
    try exporter.writeCell(printer, 0, printer.find(owner))
    return exporter.output.take()
  }

  /// What a table shows.
  func text(_ key: ObjectKey) throws(StorageError) -> String {
    guard let owner = try owner(key) else { return Exporter.cellText(.null, [], Exporter.cellLimit) }
    let plain = try plainPrinter.object(owner, part).fields.first ?? []
    return Exporter.cellText(try printer.value(0, printer.find(owner)), plain, Exporter.cellLimit)
  }
}
