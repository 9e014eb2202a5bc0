import RealmInspection
import RealmStorage

/// A property on the command line: `weight=double?`.
struct PropertyText {
  let name: String
  /// The type of a value or of a collection's elements.
  private let typeText: String
  private let attributes: ColumnAttributes

  /// How types of collections begin that `realm schema` prints.
  private static let collections: [(beginning: String, collection: ColumnAttributes)] = [
    ("List<", .list), ("MutableSet<", .set), ("Map<String, ", .dictionary), ("Map<String,", .dictionary),
  ]

  /// - Parameter text: `name=type`, `name=type?`, `name=[type]` for a list; a type is a word of `TypeWords`, a class, or what `realm schema` prints.
  init(_ text: String) throws(ImportProblem) {
    guard let separator = text.firstIndex(of: "="), separator > text.startIndex else {
      throw ImportProblem(reason: "'\(text)' is no property; write it as weight=double, name=string? or dogs=[Dog]")
    }
    var type = text[text.index(after: separator)...]
    var attributes: ColumnAttributes = []
    if type.hasPrefix("["), type.hasSuffix("]") {
      type = type.dropFirst().dropLast()
      attributes = .list
    } else if type.hasSuffix(">"), let (beginning, collection) = Self.collections.first(where: { type.hasPrefix($0.beginning) }) {
      type = type.dropFirst(beginning.count).dropLast()
      attributes = collection
    }
    if type.hasSuffix("?") {
      type.removeLast()
      attributes.insert(.nullable)
    }
    (name, typeText, self.attributes) = (String(text[..<separator]), String(type), attributes)
  }

  /// A class of a name comes before a type that is only meant by it: `Int` may be a class, `int` is none.
  func definition(in group: Group) throws -> ColumnDefinition {
    if !TypeWords.isWord(typeText), let target = try Preparation.table(named: typeText, group) {
      return ColumnDefinition(name, .link, attributes, target: target.key)
    }
    guard let type = TypeWords.type(typeText) else {
      throw ImportProblem(reason: "'\(typeText)' is neither a type (\(TypeWords.all)) nor a class of the file")
    }
    return ColumnDefinition(name, type, attributes)
  }
}
