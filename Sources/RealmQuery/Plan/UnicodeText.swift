import Foundation

/// The comparisons of `[d]` and `[cd]`, by Unicode's rules (Q16.3, rule 13). Formats only.
enum UnicodeText {
  static func test(_ kind: TextRelation.Kind, _ text: [UInt8], _ pattern: [UInt8], _ options: ComparisonOptions) -> Bool {
    let a = String(decoding: text, as: UTF8.self)
    let b = String(decoding: pattern, as: UTF8.self)
    var compareOptions: String.CompareOptions = .diacriticInsensitive
    if options.contains(.caseInsensitive) { compareOptions.insert(.caseInsensitive) }
    switch kind {
    case .equal: return a.compare(b, options: compareOptions) == .orderedSame
    case .notEqual: return a.compare(b, options: compareOptions) != .orderedSame
    case .beginsWith: return b.isEmpty || a.range(of: b, options: compareOptions.union(.anchored)) != nil
    case .endsWith: return b.isEmpty || a.range(of: b, options: compareOptions.union([.anchored, .backwards])) != nil
    case .contains: return b.isEmpty || a.range(of: b, options: compareOptions) != nil
    case .like: return false
    }
  }
}
