extension RealmCollection {
  /// Sorts and divides the elements.
  /// - Parameters:
  ///   - sortDescriptors: at least one.
  ///   - keyBlock: gives the key of an element; always the same one for the same element.
  public func sectioned<Key: _Persistable & Hashable>(
    sortDescriptors: [SortDescriptor], _ keyBlock: @escaping (Element) -> Key
  ) -> SectionedResults<Key, Element> {
    sectioned(sortDescriptors, keyDepth: nil, keyBlock)
  }

  private func sectioned<Key: _Persistable & Hashable>(
    _ sortDescriptors: [SortDescriptor], keyDepth: Int?, _ keyOf: @escaping (Element) -> Key
  ) -> SectionedResults<Key, Element> {
    orStop(results?.core) {
      if sortDescriptors.isEmpty { throw RealmFailure.misuse("There must be at least one SortDescriptor when using SectionedResults.") }
      return SectionedResults(try SectionedCore(managedResults.sorted(sortDescriptors), keyDepth: keyDepth, keyOf))
    }
  }

  fileprivate func sectioned<Key: _Persistable & Hashable>(
    _ name: String, _ sortDescriptors: [SortDescriptor], _ keyOf: @escaping (Element) -> Key
  ) -> SectionedResults<Key, Element> {
    guard let first = sortDescriptors.first else { stop("Can not section Results with empty sortDescriptor parameter.") }
    if first.keyPath != name { stop("The section key path must match the primary sort descriptor.") }
    return sectioned(sortDescriptors, keyDepth: name.count { $0 == "." }, keyOf)
  }
}

extension RealmCollection where Element: ObjectBase {
  /// Sorts by a property and divides by its values.
  public func sectioned<Key: _Persistable & Hashable>(by keyPath: KeyPath<Element, Key>, ascending: Bool = true) -> SectionedResults<Key, Element> {
    sectioned(by: keyPath, sortDescriptors: [SortDescriptor(keyPath: _name(for: keyPath), ascending: ascending)])
  }

  /// Divides by the values of a property.
  /// - Parameter sortDescriptors: the first one sorts by the property.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    sectioned(_name(for: keyPath), sortDescriptors) { $0[keyPath: keyPath] }
  }

  /// Sorts, and divides by what the block gives.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping (Element) -> Key, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> { sectioned(sortDescriptors: sortDescriptors, block) }
}

extension RealmCollection where Element: ProjectionObservable {
  /// Sorts by a property of the projection and divides by its values.
  public func sectioned<Key: _Persistable & Hashable>(by keyPath: KeyPath<Element, Key>, ascending: Bool = true) -> SectionedResults<Key, Element> {
    sectioned(by: keyPath, sortDescriptors: [SortDescriptor(keyPath: _name(for: keyPath), ascending: ascending)])
  }

  /// Divides by the values of a property of the projection.
  /// - Parameter sortDescriptors: the first one sorts by the property of the root object that is projected.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    sectioned(_name(for: keyPath), sortDescriptors) { $0[keyPath: keyPath] }
  }

  /// Sorts, and divides by what the block gives.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping (Element) -> Key, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> { sectioned(sortDescriptors: sortDescriptors, block) }
}

extension RealmCollection {
  /// Sorts values, and divides by what the block gives. Stops for objects, which have no order of their own.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping (Element) -> Key, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    sectioned(sortDescriptors: [SortDescriptor(keyPath: "self", ascending: ascending)], block)
  }
}
