import Foundation

/// A JSON value of a recorded scenario. Truth values are numbers.
enum ScenarioValue: Equatable, CustomStringConvertible {
  case null
  case number(Double)
  case text(String)
  case array([ScenarioValue])
  case members([String: ScenarioValue])

  init(parsing line: Data) throws { self.init(try JSONSerialization.jsonObject(with: line, options: .fragmentsAllowed)) }

  private init(_ value: Any) {
    switch value {
    case let text as String: self = .text(text)
    case let number as NSNumber: self = .number(number.doubleValue)
    case let array as [Any]: self = .array(array.map { ScenarioValue($0) })
    case let members as [String: Any]: self = .members(members.mapValues { ScenarioValue($0) })
    default: self = .null
    }
  }

  init(_ number: Int) { self = .number(Double(number)) }
  init(_ number: Int?) { self = number.map { ScenarioValue($0) } ?? .null }
  init(_ text: String?) { self = text.map { .text($0) } ?? .null }

  /// Null for what is no object, or has no such member.
  subscript(_ name: String) -> ScenarioValue { if case .members(let members) = self { members[name] ?? .null } else { .null } }

  var isNull: Bool { self == .null }
  var text: String? { if case .text(let text) = self { text } else { nil } }
  var number: Double? { if case .number(let number) = self { number } else { nil } }
  var integer: Int? { number.flatMap { Int(exactly: $0) } }
  var array: [ScenarioValue]? { if case .array(let array) = self { array } else { nil } }
  var members: [String: ScenarioValue]? { if case .members(let members) = self { members } else { nil } }
  var isTrue: Bool { number.map { $0 != 0 } ?? false }

  /// As JSON, members in the order of their names.
  var description: String {
    switch self {
    case .null: "null"
    case .number(let number): integer.map { "\($0)" } ?? "\(number)"
    case .text(let text): "\"\(text)\""
    case .array(let array): "[" + array.map(\.description).joined(separator: ", ") + "]"
    case .members(let members): "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "}"
    }
  }
}

/// A scenario says something that has no meaning.
struct MalformedScenario: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
