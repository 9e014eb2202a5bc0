import Foundation
import RealmStorage

extension RealmCollection where Element: ProjectionObservable {
  /// Sorts by what a property of the projection shows.
  public func sorted<T: _HasPersistedType>(by keyPath: KeyPath<Element, T>, ascending: Bool = true) -> Results<Element>
  where T.PersistedType: SortableType { sorted(by: [SortDescriptor(keyPath: _name(for: keyPath), ascending: ascending)]) }
}
