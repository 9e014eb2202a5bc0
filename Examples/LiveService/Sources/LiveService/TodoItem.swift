import Foundation
import Hummingbird

/// What leaves the actor and goes over the wire: a plain value.
struct TodoItem: ResponseCodable, Sendable {
  let id: UUID
  let title: String
  let isDone: Bool

  init(_ todo: Todo) { (id, title, isDone) = (todo.id, todo.title, todo.isDone) }
}
