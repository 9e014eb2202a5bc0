/// The classes that a realm holds. A value type over immutable data.
public struct Schema: Equatable, Sendable {
  /// The classes of the realm, those of embedded objects included.
  public let objectSchema: [ObjectSchema]
  private let positions: [String: Int]

  init(_ objectSchema: [ObjectSchema]) {
    self.objectSchema = objectSchema
    positions = Dictionary(objectSchema.enumerated().map { ($1.className, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// A class by its name in the schema; nil if there is none.
  public subscript(className: String) -> ObjectSchema? { positions[className].map { objectSchema[$0] } }

  /// True if both have the same classes with equal properties.
  public static func == (a: Schema, b: Schema) -> Bool {
    a.objectSchema.count == b.objectSchema.count && a.objectSchema.allSatisfy { b[$0.className] == $0 }
  }
}
