extension RealmCollection {
  /// Sorts and divides the elements. Stops for an unmanaged collection, without a descriptor, and where `sorted(by:)` does.
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
  /// Sorts by a property and divides by its values: live. Stops for an unmanaged collection.
  public func sectioned<Key: _Persistable & Hashable>(by keyPath: KeyPath<Element, Key>, ascending: Bool = true) -> SectionedResults<Key, Element> {
    sectioned(by: keyPath, sortDescriptors: [SortDescriptor(keyPath: _name(for: keyPath), ascending: ascending)])
  }

  /// Sorts, and divides by the values of a property: live. Stops for an unmanaged collection, and unless the first descriptor names the property.
  /// - Parameters:
  ///   - keyPath: the property, or one behind links, whose values are the keys of the sections.
  ///   - sortDescriptors: at least one; the first sorts by that property, the others sort inside of the sections.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    sectioned(_name(for: keyPath), sortDescriptors) { $0[keyPath: keyPath] }
  }

  /// Sorts, and divides by what the block gives: live. Stops for an unmanaged collection, and without a descriptor.
  /// - Parameters:
  ///   - block: gives the key of an element; always the same one for the same element.
  ///   - sortDescriptors: at least one. Sections come in the order in which their keys first occur.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping (Element) -> Key, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> { sectioned(sortDescriptors: sortDescriptors, block) }
}

extension RealmCollection where Element: ProjectionObservable {
  /// Sorts by a property of the projection and divides by its values: live. Of collections of projections only. Stops for an unmanaged collection.
  public func sectioned<Key: _Persistable & Hashable>(by keyPath: KeyPath<Element, Key>, ascending: Bool = true) -> SectionedResults<Key, Element> {
    sectioned(by: keyPath, sortDescriptors: [SortDescriptor(keyPath: _name(for: keyPath), ascending: ascending)])
  }

  /// Sorts, and divides by the values of a property of the projection: live. Of collections of projections only. Stops for an unmanaged collection,
  /// and unless the first descriptor names the property that is projected.
  /// - Parameters:
  ///   - keyPath: the property of the projection whose values are the keys of the sections.
  ///   - sortDescriptors: at least one; the first sorts by the property of the root object that is projected, the others sort inside of the sections.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    sectioned(_name(for: keyPath), sortDescriptors) { $0[keyPath: keyPath] }
  }

  /// Sorts projections, and divides by what the block gives: live. Stops for an unmanaged collection, and without a descriptor.
  /// - Parameters:
  ///   - block: gives the key of a projection; always the same one for the same object.
  ///   - sortDescriptors: at least one, with names in the projected class. Sections come in the order in which their keys first occur.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping (Element) -> Key, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> { sectioned(sortDescriptors: sortDescriptors, block) }
}

extension RealmCollection {
  /// Sorts values, and divides by what the block gives: live. Stops for an unmanaged collection, and for objects, which have no order of their own.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping (Element) -> Key, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    sectioned(sortDescriptors: [SortDescriptor(keyPath: "self", ascending: ascending)], block)
  }
}
