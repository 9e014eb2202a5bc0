/// Names and subscripts from an object to a value, as written: public names, aliases, stored names (Q3).
package struct QueryPath: Sendable, Hashable {
  package enum Step: Sendable, Hashable {
    /// A property, an alias, a variable of a subquery (`$x`), or the key of a dictionary.
    case name(String)
    /// `@links.Class.property`.
    case backlink(origin: String, property: String)
    /// `@links` followed by `@count`: all references to the object.
    case allBacklinks
    /// `@keys`; in formats `@allKeys`.
    case keys
    /// `@values`; in formats `@allValues`.
    case values
    case element(Element)
    /// `$K0`, alone.
    case argument(Int)
  }
  /// `[…]`.
  package enum Element: Sendable, Hashable {
    case index(Int)
    case first, last
    /// `[*]`.
    case all
    case key([UInt8])
    /// `[$0]`.
    case argument(Int)
  }

  package var steps: [Step]
  /// Byte offset in the text, for messages.
  package var offset: Int?

  package init(_ steps: [Step], offset: Int? = nil) {
    self.steps = steps
    self.offset = offset
  }
  /// Names joined by dots.
  package init(_ names: String) {
    self.init(names.split(separator: ".", omittingEmptySubsequences: false).map { .name(String($0)) })
  }

  package static func == (a: QueryPath, b: QueryPath) -> Bool { a.steps == b.steps }
  package func hash(into hasher: inout Hasher) { hasher.combine(steps) }
}

/// What names mean besides the stored ones (Q3.2).
package protocol NameMapping: Sendable {
  /// What `name` stands for in a class: a stored name, a path with dots, or `@links.Origin.property`; nil if it is no alias.
  /// - Parameter className: as stored, without the prefix `class_`.
  func target(ofProperty name: String, in className: String) -> String?
  /// The stored name of a class; nil if `name` is no alias.
  func target(ofClass name: String) -> String?
}

/// No aliases.
package struct StoredNames: NameMapping {
  package init() {}
  package func target(ofProperty name: String, in className: String) -> String? { nil }
  package func target(ofClass name: String) -> String? { nil }
}

/// Aliases in tables.
package struct NameTable: NameMapping {
  private var properties: [String: [String: String]] = [:]
  private var classes: [String: String] = [:]
  package init() {}
  package mutating func add(property name: String, in className: String, target: String) { properties[className, default: [:]][name] = target }
  package mutating func add(class name: String, target: String) { classes[name] = target }
  package func target(ofProperty name: String, in className: String) -> String? { properties[className]?[name] }
  package func target(ofClass name: String) -> String? { classes[name] }
}
