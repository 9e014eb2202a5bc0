extension SortDescriptor {
  /// By a property of a model class, or one behind links. Finds the names out once for each key path. Stops if they cannot be found out.
  public init<Element: ObjectBase>(keyPath: PartialKeyPath<Element>, ascending: Bool = true) {
    self.init(keyPath: _name(for: keyPath), ascending: ascending)
  }
  /// By what a property of a projection shows. Finds the names out once for each key path.
  public init<Element: ProjectionObservable>(keyPath: PartialKeyPath<Element>, ascending: Bool = true) {
    self.init(keyPath: _name(for: keyPath), ascending: ascending)
  }
}
