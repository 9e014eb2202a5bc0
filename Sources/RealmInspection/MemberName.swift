/// What classes and properties are called in exports. Names that begin with `$` are the exports' own there, such as `$schema`, `$class` and `$key`;
/// so one of a class or property gets one `$` more, which imports take away again.
package enum MemberName {
  package static func of(_ name: String) -> String { name.hasPrefix("$") ? "$" + name : name }

  /// The class or property that is meant; nil for a name of the exports' own.
  package static func meaning(_ member: String) -> String? {
    guard member.hasPrefix("$") else { return member }
    return member.hasPrefix("$$") ? String(member.dropFirst()) : nil
  }

  /// The property that is meant, if the names of exports may be those of properties that exist, too.
  static func property(_ member: String, exists: (String) -> Bool) -> String? { meaning(member) ?? (exists(member) ? member : nil) }
}
