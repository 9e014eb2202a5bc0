import RealmStorage

extension Binder {
  /// - Parameter hint: what the constant is compared with.
  func bindConstant(_ constant: Constant, hint: BoundOperand?) throws(QueryError) -> BoundOperand {
    switch constant {
    case .literal(let literal): return try bound(value(of: literal, hint?.type), hint, argument: nil)
    case .value(let value): return try bound(convert(value, hint?.type), hint, argument: nil)
    case .detachedObject: return BoundOperand(plan: .constants([.typedLink(.nowhere)]), type: .typedLink, text: "NULL")
    case .object(let className, let primaryKey): return try bindObject(className, primaryKey, hint)
    case .argument(let index, let quantifier):
      switch try scope.arguments.at(index, nil) {
      case .value(let value):
        if quantifier != nil {
          throw .query("ANY/ALL/NONE are only allowed on arguments which contain a list but '$\(index)' is not a list.")
        }
        return try bound(convert(value, hint?.type), hint, argument: index)
      case .list(let values): return try bindList(ConstantList(values.map(Constant.value), quantifier), hint: hint)
      case .detachedObject: return try bindConstant(.detachedObject, hint: hint)
      case .geo: throw .argument("A geospatial value cannot be used at argument '$\(index)'")
      }
    }
  }

  /// A list; elements of other types stay as they are and match nothing (Q4.2).
  func bindList(_ list: ConstantList, hint: BoundOperand?) throws(QueryError) -> BoundOperand {
    var values: [Value] = []
    var texts: [String] = []
    values.reserveCapacity(list.elements.count)
    for element in list.elements {
      let operand = try bindConstant(element, hint: hint)
      guard case .constants(let parts) = operand.plan, !operand.isList else { throw .query("A list cannot be an element of a list") }
      if hint?.type == .typeAttribute && operand.type != .typeAttribute { throw .query("Invalid constant inside constant list: \(operand.text)") }
      values.append(contentsOf: parts)
      if texts.count < 20 { texts.append(operand.text) }
    }
    var text = "{" + texts.joined(separator: ", ") + (values.count > 20 ? ", …}" : "}")
    if let quantifier = list.quantifier { text = "\(quantifier.keyword) \(text)" }
    return BoundOperand(
      plan: .constants(values), type: hint?.type == .typeAttribute ? .typeAttribute : .mixed, isList: true, quantifier: list.quantifier,
      text: text, isIterable: true)
  }

  /// A constant is a text or data where it is compared with one, even if it is null.
  private func bound(_ value: Value, _ hint: BoundOperand?, argument: Int?) throws(QueryError) -> BoundOperand {
    let type: ValueType
    switch (value, hint?.type) {
    case (.string(let name), .typeAttribute):
      let text = String(decoding: name, as: UTF8.self)
      guard let set = TypeSet(name: text) else {
        throw .argument("Unable to parse the type attribute string '\(text)', supported case insensitive values are: [\(TypeSet.supportedNames)]")
      }
      return BoundOperand(plan: .constants([.int(Int64(set.rawValue))]), type: .typeAttribute, text: "\"\(set.name)\"")
    case (.null, .string): type = .string
    case (.null, .binary): type = .binary
    default: type = ValueType(value)
    }
    if let argument, let hint, !value.isNull, !type.isComparable(with: hint.type) {
      throw .argument("Cannot compare \(try describe(argument, value)) to a \(hint.type.name)")
    }
    return BoundOperand(plan: .constants([value]), type: type, text: value.messageText)
  }

  /// An argument as the message about its type shows it.
  private func describe(_ argument: Int, _ value: Value) throws(QueryError) -> String {
    if case .typedLink(let link) = value { return "$\(argument) which links to \(try describe(link))" }
    return "argument $\(argument) with value '\(value.argumentText)'"
  }

  /// Class and primary key of an object, as messages print them.
  func describe(_ link: ObjectLink) throws(QueryError) -> String {
    try storage { () throws(StorageError) in
      guard try scope.group.tableKeys().contains(link.table) else { return "invalid link" }
      let table = try scope.group.table(link.table)
      guard try table.contains(link.key) else { return "invalid link" }
      let key = try table.primaryKeyColumn.map { (column) throws(StorageError) in try table.row(link.key).value(column) } ?? .link(link.key)
      return "'\(table.className)' with primary key '\(key.isNull ? "null" : key.argumentText)'"
    }
  }

  private func bindObject(_ className: String, _ primaryKey: Constant, _ hint: BoundOperand?) throws(QueryError) -> BoundOperand {
    let plainName = className.hasPrefix("class_") ? String(className.dropFirst(6)) : className
    let storedName = scope.names.target(ofClass: plainName) ?? plainName
    let found = try storage { () throws(StorageError) in try scope.group.table(named: "class_" + storedName) }
    guard let table = found else { throw .query("Unknown object type '\(className)'") }
    guard let column = table.primaryKeyColumn else { throw .query("Objects of type '\(className)' have no primary key") }
    let key = try bindConstant(primaryKey, hint: BoundOperand(plan: .column(column), type: ValueType(column), text: column.text))
    if key.isNullConstant { return try bound(.null, hint, argument: nil) }
    guard case .constants(let values) = key.plan, let value = values.first, key.type == ValueType(column) else {
      throw .argument("The primary key of type '\(className)' cannot be a value of type '\(key.type.name)'")
    }
    let object = try storage { () throws(StorageError) in try table.find(primaryKey: value) }
    guard let object else { return try bound(.null, hint, argument: nil) }
    let link = Value.typedLink(ObjectLink(table: table.key, key: object))
    return BoundOperand(plan: .constants([link]), type: .typedLink, text: link.messageText)
  }

  // MARK: Conversion (Q4.1)

  private func value(of literal: Literal, _ hint: ValueType?) throws(QueryError) -> Value {
    switch literal {
    case .null: return try convert(.null, hint)
    case .bool(let value): return try convert(.bool(value), hint)
    case .integer(let value): return try convert(.int(value), hint)
    case .floating(let value, let text):
      switch hint {
      case .float: return .float(NumberSyntax.float(text))
      case .decimal: return Decimal128(text: text).map { .decimal($0) } ?? .double(value)
      default: return try convert(.double(value), hint)
      }
    case .float(let value): return try convert(.float(value), hint)
    // The original makes only decimals of the text, and one NaN of every other.
    case .special(let value): return try special(value.isNaN && hint != .decimal ? .nan : value, hint)
    case .string(let bytes): return try convert(.string(bytes), hint)
    case .binary(let bytes): return try convert(.binary(bytes), hint)
    case .timestamp(let value): return try convert(.timestamp(value), hint)
    case .invalidTimestamp: throw .invalid(.syntaxError, message: "Invalid timestamp format", offset: nil)
    case .invalidDate: throw .query("Conversion of dates before 1900 is not supported.")
    case .objectID(let value): return try convert(.objectID(value), hint)
    case .uuid(let value): return try convert(.uuid(value), hint)
    case .objectKey(let key): return .link(key)
    case .typedLink(let link): return .typedLink(link)
    }
  }

  private func special(_ value: Double, _ hint: ValueType?) throws(QueryError) -> Value {
    switch hint {
    case nil, .double, .mixed, .null: return .double(value)
    case .float: return .float(Float(value))
    case .decimal:
      guard value.isNaN else { return .decimal(.infinity(isNegative: value < 0)) }
      return .decimal(value.sign == .minus ? Decimal128(low: 0, high: Decimal128.quietNaN.high | 1 << 63) : .quietNaN)
    case let type?:
      if value.isNaN { return .double(value) }
      throw .query("Infinity not supported for \(type.name)")
    }
  }

  private func convert(_ value: Value, _ hint: ValueType?) throws(QueryError) -> Value {
    switch (value, hint) {
    case (.int(let number), .decimal): return .decimal(Decimal128(number))
    case (.double(let number), _) where !number.isFinite: return try special(number, hint)
    case (.double(let number), .int): return Int64(exactly: number).map { .int($0) } ?? value
    case (.double(let number), .float): return .float(Float(number))
    case (.double(let number), .decimal): return .decimal(Decimal128(number))
    case (.float(let number), .int) where number.isInfinite: return try special(Double(number), hint)
    case (.float(let number), .int): return Int64(exactly: number).map { .int($0) } ?? value
    case (.string(let text), .int): return NumberText.integer(text).map { .int($0) } ?? value
    case (.string(let text), .float): return NumberText.leadingNumber(text).flatMap { Float($0) }.map { .float($0) } ?? value
    case (.string(let text), .double): return NumberText.leadingNumber(text).flatMap { Double($0) }.map { .double($0) } ?? value
    case (.string(let text), .decimal): return Decimal128(text: String(decoding: text, as: UTF8.self)).map { .decimal($0) } ?? value
    default: return value
    }
  }
}
