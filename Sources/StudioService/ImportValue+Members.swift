import RealmInspection

extension ImportValue {
  /// Keys of objects are texts where pages have no numbers for them.
  var int64: Int64? { if case .integer(let number) = self { number } else { string.flatMap { Int64($0) } } }
  var elements: [ImportValue] { if case .array(let elements) = self { elements } else { [] } }
  var isTrue: Bool { if case .bool(true) = self { true } else { false } }
}
