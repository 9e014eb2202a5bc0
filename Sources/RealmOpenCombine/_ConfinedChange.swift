public import RealmSwift

/// A change that carries what was changed: the changes of objects, collections, maps and sections.
public protocol _ConfinedChange {
  /// What was changed.
  associatedtype _Content: ThreadConfined
  /// Nil if there is nothing that belongs to a realm in it.
  var _content: _Content? { get }
  /// This change, with a counterpart of what was changed in its place.
  func _with(_ content: _Content) -> Self
}

extension ObjectChange: _ConfinedChange where T: ThreadConfined {
  /// What was changed.
  public var _content: T? { if case .change(let object, _) = self { object } else { nil } }
  /// This change, with a counterpart of what was changed in its place.
  public func _with(_ content: T) -> ObjectChange {
    if case .change(_, let properties) = self { .change(content, properties) } else { self }
  }
}

extension RealmCollectionChange: _ConfinedChange where CollectionType: RealmCollection {
  /// What was changed.
  public var _content: CollectionType? {
    switch self {
    case .initial(let collection), .update(let collection, _, _, _): collection
    case .error: nil
    }
  }
  /// This change, with a counterpart of what was changed in its place.
  public func _with(_ content: CollectionType) -> RealmCollectionChange {
    switch self {
    case .initial: .initial(content)
    case .update(_, let deletions, let insertions, let modifications):
      .update(content, deletions: deletions, insertions: insertions, modifications: modifications)
    case .error: self
    }
  }
}

extension RealmMapChange: _ConfinedChange {
  /// What was changed.
  public var _content: Collection? {
    switch self {
    case .initial(let map), .update(let map, _, _, _): map
    case .error: nil
    }
  }
  /// This change, with a counterpart of what was changed in its place.
  public func _with(_ content: Collection) -> RealmMapChange {
    switch self {
    case .initial: .initial(content)
    case .update(_, let deletions, let insertions, let modifications):
      .update(content, deletions: deletions, insertions: insertions, modifications: modifications)
    case .error: self
    }
  }
}

extension SectionedResultsChange: _ConfinedChange where Collection: RealmSectionedResult {
  /// What was changed.
  public var _content: Collection? {
    switch self {
    case .initial(let sections), .update(let sections, _, _, _, _, _): sections
    }
  }
  /// This change, with a counterpart of what was changed in its place.
  public func _with(_ content: Collection) -> SectionedResultsChange {
    switch self {
    case .initial: .initial(content)
    case .update(_, let deletions, let insertions, let modifications, let sectionsToInsert, let sectionsToDelete):
      .update(
        content, deletions: deletions, insertions: insertions, modifications: modifications, sectionsToInsert: sectionsToInsert,
        sectionsToDelete: sectionsToDelete)
    }
  }
}
