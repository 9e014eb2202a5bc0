extension Changeset {
  /// One instruction as a line for people, like `Update P["a"].e.li[2] = 5, size 3`.
  package func line(_ instruction: Instruction) -> String { instruction.code.name + " " + operands(instruction) }

  private func operands(_ instruction: Instruction) -> String {
    switch instruction {
    case .addTable(let table, let definition): text(table) + words(definition)
    case .eraseTable(let table): text(table)
    case .createObject(let object), .eraseObject(let object): words(object)
    case .addColumn(let table, let field, let column): "\(text(table)).\(text(field)): \(words(column))"
    case .eraseColumn(let table, let field): "\(text(table)).\(text(field))"
    case .update(let place, let value, let isDefault): "\(words(place)) = \(words(value))\(isDefault ? ", default" : "")"
    case .updateElement(let place, let value, let size), .arrayInsert(let place, let value, let size):
      "\(words(place)) = \(words(value)), size \(size)"
    case .addInteger(let place, let amount): "\(words(place)) by \(amount)"
    case .arrayMove(let place, let target, let size): "\(words(place)) to \(target), size \(size)"
    case .arrayErase(let place, let size): "\(words(place)), size \(size)"
    case .clear(let place, let kind): "\(words(place)) as \(kind.name)"
    case .setInsert(let place, let value), .setErase(let place, let value): "\(words(place)), \(words(value))"
    }
  }

  private func words(_ object: ObjectAddress) -> String { "\(text(object.table))[\(words(object.key))]" }

  private func words(_ place: Place) -> String {
    var result = "\(words(place.object)).\(text(place.field))"
    for element in elements(place.path) {
      switch element {
      case .index(let index): result += "[\(index)]"
      case .key(let key): result += ".\(text(key))"
      }
    }
    return result
  }

  private func words(_ key: PrimaryKey) -> String {
    switch key {
    case .null: "null"
    case .int(let number): String(number)
    case .string(let string): quoted(bytes(string))
    case .objectID(let number): Hexadecimal.text(number, byteCount: 12)
    case .uuid(let number): Hexadecimal.text(number, byteCount: 16)
    case .globalKey(let high, let low): "\(high)-\(low)"
    }
  }

  private func words(_ value: Payload) -> String {
    switch value {
    case .null: "null"
    case .int(let number): String(number)
    case .bool(let flag): flag ? "true" : "false"
    case .string(let range): quoted(bytes(range))
    case .binary(let range): "<\(Hexadecimal.text(bytes(range)))>"
    case .timestamp(let seconds, let nanoseconds): "\(seconds) s \(nanoseconds) ns"
    case .float(let bits): "\(Float(bitPattern: bits))"
    case .double(let bits): "\(Double(bitPattern: bits))"
    case .decimal(let number): "\(number.isNegative ? "-" : "")\(number.coefficient)E\(number.exponent)"
    case .link(let table, let key): words(ObjectAddress(table: table, key: key))
    case .objectID(let number): Hexadecimal.text(number, byteCount: 12)
    case .uuid(let number): Hexadecimal.text(number, byteCount: 16)
    case .erased: "nothing"
    case .objectValue, .dictionary, .list, .set: "new \(value.type.name)"
    }
  }

  private func words(_ definition: ClassDefinition) -> String {
    guard let key = definition.primaryKey else { return ", \(definition.kind.name)" }
    return ", \(definition.kind.name), by \(text(key.field)): \(key.type.name)\(key.isNullable ? "?" : "")"
  }

  private func words(_ column: ColumnDefinition) -> String {
    let target = column.target.map { " to \(text($0))" } ?? ""
    return "\(column.collection.name) \(column.type.name)\(column.isNullable ? "?" : "")\(target)"
  }

  /// Control characters and quotes escaped, so that a line stays one.
  private func quoted(_ bytes: ArraySlice<UInt8>) -> String {
    var writer = JSONWriter()
    writer.string(String(decoding: bytes, as: UTF8.self))
    return writer.text
  }
}
