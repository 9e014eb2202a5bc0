import Foundation
import RealmSwift

/// What is stored. Objects stay with the actor whose realm they are of.
final class Todo: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted var title: String
  @Persisted var isDone: Bool
  @Persisted(indexed: true) var createdAt: Date
}
