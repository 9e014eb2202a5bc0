import RealmSwift

/// A change that carries what was changed.
protocol ConfinedContent {
  associatedtype Content: ThreadConfined
  /// Nil if there is nothing that belongs to a realm in it.
  var content: Content? { get }
  /// The same change, of a counterpart.
  func with(_ content: Content) -> Self
}

extension ObjectChange: ConfinedContent where T: ThreadConfined {
  var content: T? { if case .change(let object, _) = self { object } else { nil } }
  func with(_ content: T) -> ObjectChange {
    if case .change(_, let properties) = self { .change(content, properties) } else { self }
  }
}

extension RealmCollectionChange: ConfinedContent where CollectionType: RealmCollection {
  var content: CollectionType? {
    switch self {
    case .initial(let collection), .update(let collection, _, _, _): collection
    case .error: nil
    }
  }
  func with(_ content: CollectionType) -> RealmCollectionChange {
    switch self {
    case .initial: .initial(content)
    case .update(_, let deletions, let insertions, let modifications):
      .update(content, deletions: deletions, insertions: insertions, modifications: modifications)
    case .error: self
    }
  }
}

extension RealmMapChange: ConfinedContent {
  var content: Collection? {
    switch self {
    case .initial(let map), .update(let map, _, _, _): map
    case .error: nil
    }
  }
  func with(_ content: Collection) -> RealmMapChange {
    switch self {
    case .initial: .initial(content)
    case .update(_, let deletions, let insertions, let modifications):
      .update(content, deletions: deletions, insertions: insertions, modifications: modifications)
    case .error: self
    }
  }
}

extension SectionedResultsChange: ConfinedContent where Collection: RealmSectionedResult {
  var content: Collection? {
    switch self {
    case .initial(let sections), .update(let sections, _, _, _, _, _): sections
    }
  }
  func with(_ content: Collection) -> SectionedResultsChange {
    switch self {
    case .initial: .initial(content)
    case .update(_, let deletions, let insertions, let modifications, let sectionsToInsert, let sectionsToDelete):
      .update(
        content, deletions: deletions, insertions: insertions, modifications: modifications, sectionsToInsert: sectionsToInsert,
        sectionsToDelete: sectionsToDelete)
    }
  }
}
