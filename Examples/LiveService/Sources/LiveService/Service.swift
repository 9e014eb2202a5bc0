import Foundation
import Hummingbird
import ServiceLifecycle

/// `LiveService FILE PORT`: things to do, over HTTP.
///
///     curl -N localhost:8080/todos/live                                   # lists, as they change
///     curl -d '{"title": "Water the plants"}' localhost:8080/todos
///     curl -X PUT localhost:8080/todos/ID/done
@main enum Service {
  static func main() async throws {
    let arguments = CommandLine.arguments
    let file = URL(fileURLWithPath: arguments.count > 1 ? arguments[1] : "todos.realm")
    let port = arguments.count > 2 ? Int(arguments[2]) ?? 8080 : 8080
    let router = routes(for: try await TodoStore(file: file))
    try await Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: port))).runService()
  }

  private static func routes(for store: TodoStore) -> Router<BasicRequestContext> {
    let router = Router()
    router.get("todos") { _, _ in await store.all() }
    router.post("todos") { request, context in
      let new = try await request.decode(as: NewTodo.self, context: context)
      return EditedResponse(status: .created, response: try await store.add(new.title))
    }
    router.put("todos/:id/done") { _, context in
      guard let todo = try await store.finish(context.parameters.require("id", as: UUID.self)) else { throw HTTPError(.notFound) }
      return todo
    }
    router.get("todos/live") { request, _ in
      Response(
        status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
        body: .init { writer in
          // Ends when the client leaves, and when the service is asked to: it would wait for ever otherwise.
          try await request.body.consumeWithCancellationOnInboundClose { _ in
            for await todos in await store.live().cancelOnGracefulShutdown() {
              try await writer.write(ByteBuffer(string: "data: \(String(decoding: try JSONEncoder().encode(todos), as: UTF8.self))\n\n"))
            }
          }
          try await writer.finish(nil)
        })
    }
    return router
  }
}

private struct NewTodo: Decodable {
  let title: String
}
