/// The classes that a realm holds. A value type over immutable data.
public struct Schema: CustomStringConvertible, Equatable, Sendable {
  public let objectSchema: [ObjectSchema]
  private let positions: [String: Int]

  init(_ objectSchema: [ObjectSchema]) {
    self.objectSchema = objectSchema
    positions = Dictionary(objectSchema.enumerated().map { ($1.className, $0) }, uniquingKeysWith: { first, _ in first })
  }

  public subscript(className: String) -> ObjectSchema? { positions[className].map { objectSchema[$0] } }

  public static func == (a: Schema, b: Schema) -> Bool {
    a.objectSchema.count == b.objectSchema.count && a.objectSchema.allSatisfy { b[$0.className] == $0 }
  }
}
