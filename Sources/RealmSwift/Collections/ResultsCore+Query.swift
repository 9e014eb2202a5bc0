import RealmQuery
import RealmStorage

extension ResultsCore {
  func filtered(_ query: RealmQuery.Query) throws(RealmFailure) -> ResultsCore { appending(query) }
  func sorted(_ descriptors: [SortDescriptor]) throws(RealmFailure) -> ResultsCore {
    if descriptors.isEmpty { return self }
    return appending(RealmQuery.Query(.constant(true), [.sort(descriptors.map { SortKey(QueryPath($0.keyPath), ascending: $0.ascending) })], dialect: .format))
  }
  func distinct(_ keyPaths: [String]) throws(RealmFailure) -> ResultsCore {
    appending(RealmQuery.Query(.constant(true), [.distinct(keyPaths.map { QueryPath($0) })], dialect: .format))
  }
  func index(matching query: RealmQuery.Query) throws(RealmFailure) -> Int? { nil }
  func quickCount() throws(RealmFailure) -> Int? { nil }
  func evaluate(_ step: RealmQuery.Query) throws(RealmFailure) -> Contents { throw .misuse("not yet") }
}
