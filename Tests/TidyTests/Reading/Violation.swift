/// A place that breaks a rule.
struct Violation: Equatable, CustomStringConvertible {
  let path: String
  let line: Int
  /// What is wrong and what to do.
  let message: String

  var description: String { "\(path):\(line): \(message)" }
}

/// Something that holds everywhere in the repository.
protocol Rule {
  /// One word for messages.
  static var name: String { get }
  static func violations(in repository: Repository) -> [Violation]
}
