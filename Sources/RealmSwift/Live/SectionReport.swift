import Foundation

/// What the overloads of `observe` of sections tell.
enum SectionReport {
  /// - Parameter changes: nil is the first report.
  static func change<Sections>(_ sections: Sections, _ changes: SectionChanges?) -> SectionedResultsChange<Sections> {
    guard let changes else { return .initial(sections) }
    func paths(_ places: [SectionChanges.Place]) -> [IndexPath] { places.map { IndexPath(indexes: [$0.section, $0.item]) } }
    return .update(
      sections, deletions: paths(changes.deletions), insertions: paths(changes.insertions), modifications: paths(changes.modifications),
      sectionsToInsert: IndexSet(changes.insertedSections), sectionsToDelete: IndexSet(changes.deletedSections))
  }
}
