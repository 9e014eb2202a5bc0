public import Foundation

/// What `NSPredicate` is, so that its initialisers can be ones that choose the class of what they make. Public for technical reasons only.
public protocol _FormatPredicateMaking {}

extension NSPredicate: _FormatPredicateMaking {}

/// Foundation marks its own format initialisers unavailable on Linux. These are chosen in their place; what they make is for queries of
/// this library, which take format and arguments out again. `evaluate(with:)` of such a predicate is false for every object.
extension _FormatPredicateMaking where Self: NSPredicate {
  /// A predicate for `filter` and its like. The format is read only there, so `filter` reports mistakes in it, and surplus arguments.
  ///
  /// - Parameters:
  ///   - format: in Cocoa's predicate language, with `%@`, `%K` and the number formats as placeholders.
  ///   - args: one for each placeholder, in their order. They are values and property names, never parsed as text of the format.
  public init(format: String, _ args: Any?...) { self = FormatPredicate.make(format, args) }

  /// A predicate for `filter` and its like, with the arguments of the format in an array. The format is read only there, so `filter` reports mistakes
  /// in it, and surplus arguments.
  ///
  /// - Parameters:
  ///   - format: in Cocoa's predicate language, with `%@`, `%K` and the number formats as placeholders.
  ///   - argumentArray: one for each placeholder, in their order; nil is an empty array.
  public init(format: String, argumentArray: [Any]?) { self = FormatPredicate.make(format, argumentArray ?? []) }
}

/// A predicate that was made from a format. It never changes. Two are equal if their formats and arguments are.
private final class FormatPredicate: NSPredicate {
  let format: String
  let arguments: [Any?]

  static func make<Predicate: NSPredicate>(_ format: String, _ arguments: [Any?]) -> Predicate {
    guard let predicate = FormatPredicate(format, arguments) as? Predicate else {
      stop("A predicate with a format is an NSPredicate, not an \(Predicate.self)")
    }
    return predicate
  }

  private init(_ format: String, _ arguments: [Any?]) {
    (self.format, self.arguments) = (format, arguments)
    // Not by a value: a constant predicate would be equal to this one.
    super.init { _, _ in false }
  }

  required init?(coder: NSCoder) { nil }

  override func copy(with zone: NSZone? = nil) -> Any { self }

  override func isEqual(_ other: Any?) -> Bool {
    guard let other = other as? FormatPredicate else { return false }
    return format == other.format && Self.areEqual(arguments, other.arguments)
  }

  override var hash: Int { format.hashValue }

  /// The format, with the arguments behind it.
  override var predicateFormat: String {
    arguments.isEmpty ? format : "\(format) [\(arguments.map { $0.map { DynamicInput.shown($0) } ?? "nil" }.joined(separator: ", "))]"
  }
  override var description: String { predicateFormat }

  private static func areEqual(_ a: [Any?], _ b: [Any?]) -> Bool { a.count == b.count && zip(a, b).allSatisfy { areEqual($0, $1) } }

  private static func areEqual(_ a: Any?, _ b: Any?) -> Bool {
    switch (content(a), content(b)) {
    case (nil, nil): true
    // On Linux a hashable number differs from the same in an `NSNumber`.
    case (let a as NSNumber, let b as NSNumber): a == b
    case (let a as AnyHashable, let b as AnyHashable): a == b
    case (let a as [Any?], let b as [Any?]): areEqual(a, b)
    // Lists, sets and maps: unmanaged ones by their elements.
    case (let a as any Equatable, let b?): isEqual(a, to: b)
    case (let a?, let b?): a as AnyObject === b as AnyObject
    default: false
    }
  }

  private static func isEqual<Argument: Equatable>(_ a: Argument, to b: Any) -> Bool { (b as? Argument).map { a == $0 } ?? false }

  /// What an argument stands for, however it is wrapped.
  private static func content(_ argument: Any?) -> Any? {
    switch argument {
    case is NSNull: nil
    case let value as AnyRealmValue: value.contents
    default: argument
    }
  }
}

/// A predicate taken apart. Arguments are in the order in which the format consumes them.
package indirect enum PredicateTree {
  case format(String, arguments: [Any?])
  case constant(Bool)
  case and([PredicateTree])
  case or([PredicateTree])
  case not(PredicateTree)
  /// A predicate with a block, or of an unknown kind: for queries, "Only support compound, comparison, and constant predicates".
  case unsupported
  /// More kinds inside of each other than what asks could follow.
  case tooDeep

  package init(_ predicate: NSPredicate) { self.init(predicate, depth: 0) }

  private init(_ predicate: NSPredicate, depth: Int) {
    if let compound = predicate as? NSCompoundPredicate {
      guard depth < QueryTree.depthLimit else {
        self = .tooDeep
        return
      }
      switch compound.compoundPredicateType {
      case .and: self = .and(Self.parts(of: compound, depth))
      case .or: self = .or(Self.parts(of: compound, depth))
      case .not: self = compound.subpredicates.first.map { .not(PredicateTree($0, depth: depth + 1)) } ?? .unsupported
      }
    } else if let predicate = predicate as? FormatPredicate {
      self = .format(predicate.format, arguments: predicate.arguments)
    } else if predicate.isEqual(NSPredicate(value: true)) {
      self = .constant(true)
    } else if predicate.isEqual(NSPredicate(value: false)) {
      self = .constant(false)
    } else {
      self = .unsupported
    }
  }

  /// Flattens, because a loop that puts one predicate at a time behind those before nests as deeply as it is long.
  private static func parts(of compound: NSCompoundPredicate, _ depth: Int) -> [PredicateTree] {
    var parts: [PredicateTree] = []
    var waiting = Array(compound.subpredicates.reversed())
    while let next = waiting.popLast() {
      if let inner = next as? NSCompoundPredicate, inner.compoundPredicateType == compound.compoundPredicateType {
        waiting += inner.subpredicates.reversed()
      } else {
        parts.append(PredicateTree(next, depth: depth + 1))
      }
    }
    return parts
  }
}
