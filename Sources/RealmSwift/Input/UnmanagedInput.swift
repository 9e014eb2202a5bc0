import Foundation

/// Input for unmanaged collections.
enum UnmanagedInput {
  /// Elements of a list or a set.
  /// - Returns: the input as it is, instead of elements, if some of it is of the stored type and yet has no counterpart in a custom type or an
  ///   enumeration: that is seen when it is read, as in a managed collection.
  static func converted<Element: _Storable>(_ input: [Any]) throws -> (elements: [Element], unconverted: [Any]?) {
    do { return (try input.map { try element($0) }, nil) } catch {
      guard Element._shape.isCustomScalar, input.allSatisfy({ (try? DynamicInput.scalar($0, Element._shape)) != nil }) else { throw error }
      return ([], input)
    }
  }

  private static func element<Element: _Storable>(_ input: Any) throws -> Element {
    // Null stands for a missing embedded object in properties and maps only.
    if Element._shape.type == .object, DynamicInput.isNull(input) {
      throw RealmFailure.misuse("Invalid nil value for array of '\(Element._shape.elementText)'.")
    }
    return try Element._element(from: input)
  }

  /// Entries of a map; see above.
  static func converted<Value: _Storable>(
    _ input: [(name: String, element: Any)]
  ) throws -> (entries: [EntryKey: Value], unconverted: [EntryKey: Any]?) {
    for (name, _) in input { try DictionaryKey.check(name) }
    let input: [EntryKey: Any] = Dictionary(input.map { (EntryKey($0.name), $0.element) }, uniquingKeysWith: { $1 })
    do { return (try input.mapValues { try Value._element(from: $0) }, nil) } catch {
      guard Value._shape.isCustomScalar, input.values.allSatisfy({ (try? DynamicInput.scalar($0, Value._shape)) != nil }) else { throw error }
      return ([:], input)
    }
  }
}
