package import ChangesetModel

extension ModelRealm {
  /// The first thing that is not as it should be, for people.
  package func difference(to expected: ModelRealm) -> String {
    for (name, type) in expected.classes {
      guard let other = classes[name] else { return "class \(name) is missing" }
      if other.columns != type.columns || other.kind != type.kind || other.primaryKey != type.primaryKey {
        return "class \(name) is \(other.kind) \(other.columns) instead of \(type.kind) \(type.columns)"
      }
      for (key, object) in type.objects where other.objects[key] != object {
        return "\(name) \(key) is \(other.objects[key].map { "\($0)" } ?? "missing") instead of \(object)"
      }
      if let extra = other.objects.keys.first(where: { type.objects[$0] == nil }) { return "\(name) \(extra) is too much" }
    }
    return "classes \(Set(classes.keys).subtracting(expected.classes.keys).sorted()) are too much"
  }
}
