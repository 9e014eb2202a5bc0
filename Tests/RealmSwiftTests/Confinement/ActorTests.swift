import Foundation
import RealmStorage
import RealmSwift
import TestSupport
import Testing

class Todo: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var name: String
  @Persisted var owner: String
  @Persisted var status: String
}

// An actor that owns its realm.
actor RealmActor {
  // An implicitly-unwrapped optional is used here to let us pass `self` to `Realm(actor:)` within `init`.
  var realm: Realm!
  init(_ configuration: Realm.Configuration) async throws { realm = try await Realm(configuration: configuration, actor: self) }

  var count: Int { realm.objects(Todo.self).count }

  func createTodo(name: String, owner: String, status: String) async throws {
    try await realm.asyncWrite {
      realm.create(Todo.self, value: ["_id": ObjectId.generate(), "name": name, "owner": owner, "status": status] as [String: Any])
    }
  }
  func getTodoOwner(forTodoNamed name: String) -> String {
    let todo = realm.objects(Todo.self).filter("name == %@", name).first!
    return todo.owner
  }
  struct TodoStruct {
    var id: ObjectId
    var name, owner, status: String
  }
  func getTodoAsStruct(forTodoNamed name: String) -> TodoStruct {
    let todo = realm.objects(Todo.self).filter("name == %@", name).first!
    return TodoStruct(id: todo._id, name: todo.name, owner: todo.owner, status: todo.status)
  }
  func getObjectId(forTodoNamed name: String) async -> ObjectId { realm.objects(Todo.self).filter("name == %@", name).first!._id }
  func updateTodo(_id: ObjectId, name: String, owner: String, status: String) async throws {
    try await realm.asyncWrite {
      realm.create(Todo.self, value: ["_id": _id, "name": name, "owner": owner, "status": status] as [String: Any], update: .modified)
    }
  }
  func deleteTodo(id: ObjectId) async throws {
    try await realm.asyncWrite {
      let todoToDelete = realm.object(ofType: Todo.self, forPrimaryKey: id)
      realm.delete(todoToDelete!)
    }
  }
  // A thread-confined realm, used synchronously inside an actor.
  func deleteTodo(_ configuration: Realm.Configuration, tsrToTodo: ThreadSafeReference<Todo>) throws {
    let realm = try! Realm(configuration: configuration)
    try realm.write {
      let todo = realm.resolve(tsrToTodo)
      realm.delete(todo!)
    }
  }
  func write(_ text: String) throws { try realm.write { realm.add(Todo(value: ["name": text])) } }
  func close() { realm = nil }
}

// A global actor; in Swift 6 mode the shared instance has to be constant.
@globalActor actor BackgroundActor: GlobalActor {
  static let shared = BackgroundActor()
  func fetch(_ configuration: Realm.Configuration, _ id: ObjectId) async throws -> String? {
    try await Realm(configuration: configuration, actor: self).object(ofType: Todo.self, forPrimaryKey: id)?.name
  }
}

@BackgroundActor func createOnBackground(_ configuration: Realm.Configuration) async throws -> Int {
  let realm = try await Realm(configuration: configuration, actor: BackgroundActor.shared)
  try await realm.asyncWrite {
    _ = realm.create(Todo.self, value: ["name": "Pledge fealty and service to Gondor", "owner": "Pippin", "status": "In Progress"])
  }
  // A task that slept goes on on any thread.
  try await Task.sleep(for: .milliseconds(1))
  let todoCount = realm.objects(Todo.self).count
  try await Task.sleep(for: .milliseconds(1))
  realm.refresh()
  return realm.objects(Todo.self).count == todoCount ? todoCount : -1
}

func createObject(in actor: isolated RealmActor) throws {
  try actor.realm.write { actor.realm.create(Todo.self, value: ["name": "Keep it secret", "owner": "Frodo", "status": "In Progress"]) }
}
func objectId(in actor: isolated RealmActor, named name: String) -> ObjectId {
  actor.realm.objects(Todo.self).filter("name == %@", name).first!._id
}

@Suite(.mustEnd) struct ActorTests {
  let directory = TestDirectory()
  private var configuration: Realm.Configuration { directory.configuration([Todo.self]) }

  // MARK: Snippets

  @Test func anActorConfinesItsRealm() async throws {
    let actor = try await RealmActor(configuration)
    try await actor.createTodo(name: "Carry the ring", owner: "Frodo", status: "In Progress")
    #expect(await actor.count == 1)
    #expect(await actor.getTodoOwner(forTodoNamed: "Carry the ring") == "Frodo")
    let todo = await actor.getTodoAsStruct(forTodoNamed: "Carry the ring")
    #expect(todo.status == "In Progress")
    let id = await actor.getObjectId(forTodoNamed: "Carry the ring")
    #expect(await objectId(in: actor, named: "Carry the ring") == id)
    try await actor.updateTodo(_id: id, name: "Carry the ring", owner: "Sam", status: "Completed")
    #expect(await actor.getTodoOwner(forTodoNamed: "Carry the ring") == "Sam")
    try await createObject(in: actor)
    #expect(await actor.count == 2)
    try await actor.deleteTodo(id: id)
    #expect(await actor.count == 1)
    await actor.close()
    #expect(try Realm.deleteFiles(for: configuration))
  }

  @Test func aGlobalActorConfinesRealms() async throws {
    #expect(try await createOnBackground(configuration) == 1)
    #expect(try await createOnBackground(configuration) == 2)
  }

  @MainActor @Test func theMainActorHasItsRealm() async throws {
    var config = configuration
    config.fileURL!.deleteLastPathComponent()
    config.fileURL!.appendPathComponent("main")
    config.fileURL!.appendPathExtension("realm")
    let realm = try await Realm(configuration: config)
    let same = try await Realm(configuration: config, actor: MainActor.shared)
    #expect(realm == same)
    #expect(try await Realm.open(configuration: config) == realm)
    try await use(realm)
    #expect(realm.objects(Todo.self).count == 1)
  }
  @MainActor private func use(_ realm: Realm) async throws { try await realm.asyncWrite { realm.add(Todo(value: ["name": "a"])) } }

  @Test(.endsProcesses) func theDefaultConfigurationIsOpenedByTheShortForms() async {
    await #expect(processExitsWith: .success) { @MainActor [path = directory.path as String] in
      Realm.Configuration.defaultConfiguration = TestDirectory.configuration(in: path, [Todo.self])
      let realm = try await Realm()
      #expect(try await Realm(actor: MainActor.shared) == realm)
      #expect(try await Realm.open() == realm)
      #expect(realm.configuration.fileURL?.path == path + "/test.realm")
      try await realm.asyncWrite { realm.create(Todo.self, value: ["name": "a"]) }
      #expect(realm.objects(Todo.self).count == 1)
    }
  }

  @MainActor @Test func referencesCrossActors() async throws {
    let realm = try await Realm(configuration: configuration)
    let actor = try await RealmActor(configuration)
    try await realm.asyncWrite { realm.create(Todo.self, value: ["name": "Arrive safely in Bree", "owner": "Merry"]) }
    let todo = realm.objects(Todo.self).first!
    let reference = ThreadSafeReference(to: todo)
    try await actor.deleteTodo(configuration, tsrToTodo: reference)
    await realm.asyncRefresh()
    #expect(realm.isEmpty)
  }

  @MainActor @Test func primaryKeysFindObjectsOnOtherActors() async throws {
    @BackgroundActor func create(_ configuration: Realm.Configuration) async throws -> ObjectId {
      let realm = try await Realm(configuration: configuration, actor: BackgroundActor.shared)
      let newTodo = try await realm.asyncWrite { realm.create(Todo.self, value: ["name": "Pledge fealty"]) }
      return newTodo._id
    }
    let realm = try await Realm(configuration: configuration)
    #expect(realm.isEmpty)
    let id = try await create(configuration)
    await realm.asyncRefresh()
    let todo = realm.object(ofType: Todo.self, forPrimaryKey: id)
    #expect(todo?.name == "Pledge fealty")
    #expect(try await BackgroundActor.shared.fetch(configuration, id) == "Pledge fealty")
  }

  // MARK: Rules of asyncWrite

  private struct Refusal: Error {}

  @MainActor @Test func asyncWriteReturnsThrowsAndCancels() async throws {
    let realm = try await Realm(configuration: configuration)
    let todo = try await realm.asyncWrite {
      #expect(realm.isPerformingAsynchronousWriteOperations)
      return realm.create(Todo.self, value: ["name": "a"])
    }
    #expect(todo.name == "a")
    #expect(!realm.isPerformingAsynchronousWriteOperations)
    await #expect(throws: Refusal.self) {
      try await realm.asyncWrite {
        realm.add(Todo(value: ["name": "b"]))
        throw Refusal()
      }
    }
    try await realm.asyncWrite {
      realm.add(Todo(value: ["name": "c"]))
      realm.cancelWrite()
    }
    #expect(realm.objects(Todo.self).count == 1)
    try await realm.asyncWrite {
      realm.cancelWrite()
      realm.beginWrite()
      realm.add(Todo(value: ["name": "d"]))
    }
    #expect(realm.objects(Todo.self).map(\.name) == ["a", "d"])
    #expect(!realm.isInWriteTransaction)
  }

  @MainActor @Test func asyncWriteLeavesTheActorFreeWhileOthersWrite() async throws {
    let configuration = configuration
    let realm = try await Realm(configuration: configuration)
    let begun = DispatchSemaphore(value: 0)
    let release = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let realm = try! Realm(configuration: configuration)
      realm.beginWrite()
      realm.add(Todo(value: ["name": "other"]))
      begun.signal()
      release.wait()
      try! realm.commitWrite()
    }
    await Task.detached { begun.waitForSignal() }.value
    var order: [String] = []
    let task = Task { @MainActor in
      try await realm.asyncWrite {
        order.append("written")
        realm.add(Todo(value: ["name": "own"]))
      }
    }
    // The actor does other things meanwhile.
    for _ in 0..<5 {
      await Task.yield()
      order.append("turn")
    }
    release.signal()
    try await task.value
    #expect(order == ["turn", "turn", "turn", "turn", "turn", "written"])
    #expect(realm.objects(Todo.self).count == 2)
  }

  @MainActor @Test func aCancelledTaskDoesNotWrite() async throws {
    let configuration = configuration
    let realm = try await Realm(configuration: configuration)
    let begun = DispatchSemaphore(value: 0)
    let release = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let realm = try! Realm(configuration: configuration)
      realm.beginWrite()
      begun.signal()
      release.wait()
      realm.cancelWrite()
    }
    await Task.detached { begun.waitForSignal() }.value
    let task = Task { @MainActor in try await realm.asyncWrite { Issue.record("written") } }
    // It begins, and waits for the other thread.
    await Task.yield()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    release.signal()
    let early = Task { @MainActor in
      withUnsafeCurrentTask { $0?.cancel() }
      try await realm.asyncWrite { Issue.record("written") }
    }
    await #expect(throws: CancellationError.self) { try await early.value }
    // Nothing is left behind.
    try await realm.asyncWrite { realm.add(Todo(value: ["name": "a"])) }
    try realm.write { realm.add(Todo(value: ["name": "b"])) }
    #expect(realm.objects(Todo.self).count == 2)
    #expect(!realm.isPerformingAsynchronousWriteOperations)
  }

  @MainActor @Test func manyTasksAndSynchronousWritesTakeTurns() async throws {
    let realm = try await Realm(configuration: configuration)
    let actor = try await RealmActor(configuration)
    var tasks: [Task<Void, any Error>] = []
    for index in 0..<10 {
      tasks.append(Task { try await actor.createTodo(name: "actor \(index)", owner: "", status: "") })
      tasks.append(Task { try await actor.write("synchronous \(index)") })
      tasks.append(Task { try await realm.asyncWrite { realm.add(Todo(value: ["name": "main \(index)"])) } })
      tasks.append(Task { try realm.write { realm.add(Todo(value: ["name": "main synchronous \(index)"])) } })
    }
    for task in tasks { try await task.value }
    realm.refresh()
    #expect(realm.objects(Todo.self).count == 40)
  }

  @MainActor @Test func asyncRefreshAdvances() async throws {
    let configuration = configuration
    let realm = try await Realm(configuration: configuration)
    realm.invalidate()
    #expect(await !realm.asyncRefresh())
    #expect(realm.isEmpty)
    realm.autorefresh = false
    try otherThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Todo(value: ["name": "a"])) }
    }
    #expect(realm.isEmpty)
    #expect(await realm.asyncRefresh())
    #expect(realm.objects(Todo.self).count == 1)
    #expect(await !realm.asyncRefresh())
    #expect(await !realm.freeze().asyncRefresh())
  }

  @Test(.endsProcesses) func realmsOfThreadsAndQueuesCannotBeAwaited() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      try await useOnBackground(path)
    }
    #expect(result?.stopped(with: "asyncWrite() can only be called on main thread or actor-isolated Realms") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      try await refreshOnBackground(path)
    }
    #expect(result?.stopped(with: "asyncRefresh() can only be called on main thread or actor-isolated Realms") == true)
  }

  @Test(.endsProcesses) func anActorRealmStopsElsewhere() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      let stolen = try await Stolen(Realm(configuration: TestDirectory.configuration(in: path, [Todo.self]), actor: BackgroundActor.shared))
      _ = stolen.value.isEmpty
    }
    #expect(
      result?.standardError.contains(
        "Fatal error: Realm accessed from incorrect thread. It is confined to actor BackgroundActor and was used on ") == true)
  }

  // MARK: Opening

  @Test func openingHappensOnAnotherThread() async throws {
    var configuration = configuration
    let places = Locked<[Bool]>([])
    configuration.shouldCompactOnLaunch = { _, _ in
      places.withLock { $0.append(Thread.isMainThread) }
      return false
    }
    let shared = configuration
    try await Task { @MainActor in
      let realm = try await Realm(configuration: shared)
      #expect(realm.isEmpty)
    }.value
    #expect(places.withLock { $0 } == [false])
  }

  @Test func asyncOpenGivesARealmOfItsQueue() async throws {
    let queue = DispatchQueue(label: "test")
    let configuration = configuration
    let count = await withCheckedContinuation { continuation in
      Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
        let realm = try! result.get()
        try! realm.write { realm.add(Todo(value: ["name": "a"])) }
        continuation.resume(returning: realm.objects(Todo.self).count)
      }
    }
    #expect(count == 1)
    let isMain = await withCheckedContinuation { continuation in
      Realm.asyncOpen(configuration: configuration) { result in
        MainActor.preconditionIsolated()
        continuation.resume(returning: (try? result.get().objects(Todo.self).count) == 1)
      }
    }
    #expect(isMain)
  }

  @Test func asyncOpenReportsErrorsAndCancellation() async throws {
    var configuration = configuration
    configuration.fileURL = directory.url.appendingPathComponent("none/a.realm")
    let code = await withCheckedContinuation { continuation in
      Realm.asyncOpen(configuration: configuration) { result in
        if case .failure(let error) = result { continuation.resume(returning: (error as? Realm.Error)?.code) }
      }
    }
    #expect(code == .fileNotFound)
    let good = self.configuration
    let error = await withCheckedContinuation { continuation in
      let queue = DispatchQueue(label: "test")
      queue.suspend()
      let task = Realm.asyncOpen(configuration: good, callbackQueue: queue) { result in
        if case .failure(let error) = result { continuation.resume(returning: error as NSError) }
      }
      task.addProgressNotification { _ in }
      task.cancel()
      queue.resume()
    }
    #expect(error.domain == NSPOSIXErrorDomain && error.code == Int(ECANCELED))
    #expect(error.localizedDescription == "Operation canceled")
  }

  @Test func aCancelledTaskDoesNotOpen() async throws {
    let configuration = configuration
    let task = Task { @MainActor in
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await Realm(configuration: configuration)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!Realm.fileExists(for: configuration))
  }

  @Test func openingErrorsAreThrown() async {
    var configuration = configuration
    configuration.fileURL = directory.url.appendingPathComponent("none/a.realm")
    let shared = configuration
    await #expect {
      try await Task { @MainActor in _ = try await Realm(configuration: shared, downloadBeforeOpen: .once) }.value
    } throws: {
      ($0 as? Realm.Error)?.code == .fileNotFound
    }
  }
}

@BackgroundActor private func useOnBackground(_ path: String) async throws {
  let realm = try openHere(path)
  try await realm.asyncWrite {}
}
@BackgroundActor private func refreshOnBackground(_ path: String) async throws {
  let realm = try openHere(path)
  await realm.asyncRefresh()
}
@BackgroundActor private func openHere(_ path: String) throws -> Realm {
  try Realm(configuration: TestDirectory.configuration(in: path, [Todo.self]))
}

extension DispatchSemaphore {
  /// `wait`, for code of which the compiler thinks that it must not block.
  func waitForSignal() { wait() }
}
