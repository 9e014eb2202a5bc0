import RealmStorage

/// A `MutableSet` or `Set`, which cannot be nested. Public for technical reasons only.
public protocol _SetInput {}

extension Set: _SetInput {}
