import Foundation
import RealmSwift

/// Owns a realm. Requests come from any thread and wait their turn here; writing and syncing happens elsewhere meanwhile (`asyncWrite`).
actor TodoStore {
  private var realm: Realm!

  init(file: URL) async throws {
    realm = try await Realm(configuration: Realm.Configuration(fileURL: file, objectTypes: [Todo.self]), actor: self)
  }

  private var todos: Results<Todo> { realm.objects(Todo.self).sorted(by: \.createdAt) }

  func all() -> [TodoItem] { todos.map(TodoItem.init) }

  func add(_ title: String) async throws -> TodoItem {
    let realm = realm!
    return try await realm.asyncWrite {
      TodoItem(realm.create(Todo.self, value: ["title": title, "createdAt": Date()] as [String: Any]))
    }
  }

  /// Looks it up in the transaction: before and after, other processes may delete it.
  /// - Returns: nil if there is no such thing to do.
  func finish(_ id: UUID) async throws -> TodoItem? {
    let realm = realm!
    return try await realm.asyncWrite {
      guard let todo = realm.object(ofType: Todo.self, forPrimaryKey: id) else { return nil }
      todo.isDone = true
      return TodoItem(todo)
    }
  }

  /// The list now, and after each change, whoever made it: this service, or another process that has the file open. Who reads slowly gets the newest
  /// list and not all those before it.
  func live() -> AsyncStream<[TodoItem]> {
    let (lists, continuation) = AsyncStream.makeStream(of: [TodoItem].self, bufferingPolicy: .bufferingNewest(1))
    let observing = Task {
      for await _ in todos.changes { continuation.yield(all()) }
      continuation.finish()
    }
    continuation.onTermination = { _ in observing.cancel() }
    return lists
  }
}
