package import RealmStorage

/// A value of imported JSON.
package indirect enum ImportValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A number that is no integer of 64 bits, as it is written.
  case number([UInt8])
  case text([UInt8])
  case array([ImportValue])
  /// In the order of the input; no name occurs twice.
  case object([(name: String, value: ImportValue)])

  package subscript(name: String) -> ImportValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { ExactName($0.name) == ExactName(name) }?.value
  }

  /// An array, or a set as canonical JSON writes it.
  var isArrayOrSet: Bool { if case .array = self["$set"] ?? self { true } else { false } }

  /// Its text, if it is one.
  package var string: String? { if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil } }
}

package struct ImportProblem: Error, Sendable {
  package let reason: String
  /// What an option of `realm import` can do about it: of no use to anybody else.
  package var hint: String?
  /// Of the input; nil if it is about the whole.
  package var line: Int?
  package init(reason: String, hint: String? = nil, line: Int? = nil) { (self.reason, self.hint, self.line) = (reason, hint, line) }
  /// Reason and hint.
  package var text: String { hint.map { "\(reason); \($0)" } ?? reason }
}

/// Why an import cannot go on.
package enum ImportError: Error {
  case storage(StorageError)
  case input(ImportProblem)
}

/// What happens with a name that a header or an object has twice.
package enum DuplicateNames: String, Sendable, CaseIterable {
  case refuse, first, last
  /// The second `x` becomes `x_2`.
  case rename

  /// What becomes of the values, for notes.
  var explanation: String {
    switch self {
    case .refuse: "it is refused"
    case .first: "the first value is taken, the others are left out"
    case .last: "the last value is taken, the others are left out"
    case .rename: "the second one gets a number behind it"
    }
  }

  /// - Parameter names: those of a header or an object.
  /// - Returns: for each the name that its value gets; nil for one that is left out.
  func resolve(_ names: [String]) throws(ImportProblem) -> [String?] {
    var counts: [ExactName: Int] = [:]
    var taken = Set(names.map(ExactName.init))
    var result: [String?] = []
    for (position, name) in names.enumerated() {
      let count = counts[ExactName(name), default: 0] + 1
      counts[ExactName(name)] = count
      if count == 1 {
        result.append(name)
        continue
      }
      switch self {
      case .refuse: throw ImportProblem(reason: "the name '\(name)' occurs twice", hint: "--duplicates first, last or rename says what to do")
      case .first: result.append(nil)
      case .last:
        if let earlier = names[..<position].lastIndex(where: { ExactName($0) == ExactName(name) }) { result[earlier] = nil }
        result.append(name)
      case .rename:
        var number = count
        while !taken.insert(ExactName("\(name)_\(number)")).inserted { number += 1 }
        result.append("\(name)_\(number)")
      }
    }
    return result
  }
}

enum UTF8Text {
  static func isValid(_ bytes: Span<UInt8>) -> Bool {
    do {
      _ = try UTF8Span(validating: bytes)
      return true
    } catch { return false }
  }

  static let problem = "has bytes that are not UTF-8"
  static let hint = "repair them, or give the encoding, such as --encoding windows-1252"
}
