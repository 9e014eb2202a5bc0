public import Foundation
import RealmStorage

/// Foundation marks its own format initialisers unavailable on Linux. These are chosen in their place; what they make is for queries of
/// this library, which take format and arguments out again. `evaluate(with:)` of such a predicate is false for every object.
extension NSPredicate {
  /// A predicate for `filter` and its like. The format is read only there, so `filter` reports mistakes in it, and surplus arguments.
  ///
  /// - Parameters:
  /// - format: in Cocoa's predicate language, with `%@`, `%K` and the number formats as placeholders.
  /// - args: one for each placeholder, in their order. They are values and property names, never parsed as text of the format.
  public convenience init(format: String, _ args: Any?...) { self.init(contents: PredicateContents(format: format, arguments: args)) }

  /// The same with the arguments in an array; nil is an empty one.
  public convenience init(format: String, argumentArray: [Any]?) {
    self.init(contents: PredicateContents(format: format, arguments: argumentArray ?? []))
  }

  private convenience init(contents: PredicateContents) {
    self.init { object, _ in
      (object as? PredicateProbe)?.contents = contents
      return false
    }
    FormatPredicates.register(self)
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

  package init(_ predicate: NSPredicate) {
    if let compound = predicate as? NSCompoundPredicate {
      let children = compound.subpredicates.map { PredicateTree($0) }
      switch compound.compoundPredicateType {
      case .and: self = .and(children)
      case .or: self = .or(children)
      case .not: self = children.first.map { .not($0) } ?? .unsupported
      }
    } else if FormatPredicates.contains(predicate) {
      // Asking any other block would run code of the application.
      let probe = PredicateProbe()
      _ = predicate.evaluate(with: probe)
      self = probe.contents.map { .format($0.format, arguments: $0.arguments) } ?? .unsupported
    } else if predicate.isEqual(NSPredicate(value: true)) {
      self = .constant(true)
    } else if predicate.isEqual(NSPredicate(value: false)) {
      self = .constant(false)
    } else {
      self = .unsupported
    }
  }
}

/// SAFETY: both fields are never changed. Whether the arguments may be used on a thread is up to whoever hands the predicate over, as
/// with every predicate.
private final class PredicateContents: @unchecked Sendable {
  let format: String
  let arguments: [Any?]

  init(format: String, arguments: [Any?]) {
    self.format = format
    self.arguments = arguments
  }
}

/// Handed to the block of a predicate of ours, which leaves its contents here.
private final class PredicateProbe {
  var contents: PredicateContents?
}

/// The living predicates that were made from a format, so that the blocks of others are never called.
private enum FormatPredicates {
  /// SAFETY: nobody uses the predicate through this; it only tells whether it still lives.
  private struct Entry: @unchecked Sendable {
    weak var predicate: NSPredicate?
  }

  private struct Table {
    var entries: [ObjectIdentifier: Entry] = [:]
    var countAtCleaning = 64
  }

  private static let table = Locked(Table())

  static func register(_ predicate: NSPredicate) {
    let identifier = ObjectIdentifier(predicate)
    let entry = Entry(predicate: predicate)
    table.withLock { table in
      if table.entries.count >= table.countAtCleaning {
        table.entries = table.entries.filter { $0.value.predicate != nil }
        table.countAtCleaning = max(64, table.entries.count * 2)
      }
      table.entries[identifier] = entry
    }
  }

  static func contains(_ predicate: NSPredicate) -> Bool {
    // An entry whose predicate lives is this one's: two living objects have different identifiers.
    let identifier = ObjectIdentifier(predicate)
    return table.withLock { $0.entries[identifier]?.predicate != nil }
  }
}
