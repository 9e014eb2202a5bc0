import Foundation
import Randomness
import RealmSwift

/// An actor with a realm of its own: asynchronous writes, some of them cancelled, and observing.
actor Clerk {
  private let ledger: Ledger
  private var realm: Realm!
  private let follower: Follower
  private var editor: Editor
  private var committedCount = 0
  private var tokens: [NotificationToken] = []

  init(_ editor: Editor, _ configuration: Realm.Configuration, _ ledger: Ledger) async throws {
    (self.editor, self.ledger, follower) = (editor, ledger, Follower("actor", ledger))
    realm = try await Realm(configuration: configuration, actor: self)
  }

  /// - Returns: how many transactions were committed.
  static func work(_ editor: Editor, _ configuration: Realm.Configuration, until end: Date, _ ledger: Ledger) async -> Int {
    var (editor, count) = (editor, 0)
    do {
      while Date() < end {
        ledger.step(editor.identifier, "opens")
        let clerk = try await Clerk(editor, configuration, ledger)
        ledger.step(editor.identifier, "begins to observe")
        await clerk.observe()
        for _ in 0..<40 where Date() < end { await clerk.turn() }
        (editor, count) = await (clerk.close(), count + clerk.committedCount)
      }
    } catch { ledger.failure("an actor", error) }
    return count
  }

  private func observe() async {
    let parts = realm.objects(Part.self).where { $0.group < 3 }
    tokens.append(await parts.observe(on: self) { clerk, change in clerk.follower.note(change) })
  }

  private func turn() async {
    switch editor.random.below(8) {
    case 0: await writeAndCancel()
    case 1:
      ledger.step(editor.identifier, "refreshes")
      await realm.asyncRefresh()
    case 2: await loop()
    default: await write()
    }
    if let disorder = realm.disorder { ledger.violation("an actor: \(disorder)") }
  }

  private func write() async {
    ledger.step(editor.identifier, "writes")
    do {
      try await realm.asyncWrite { editor.edit(realm) }
      committedCount += 1
      ledger.count("asynchronous commits")
    } catch { ledger.failure("asyncWrite", error) }
  }

  /// Either it is committed and returns, or it throws and nothing happened.
  private func writeAndCancel() async {
    let task = Task {
      try await realm.asyncWrite { editor.edit(realm) }
      committedCount += 1
    }
    if editor.random.below(2) == 0 { await Task.yield() }
    task.cancel()
    ledger.step(editor.identifier, "waits for a cancelled write")
    do {
      try await task.value
      ledger.count("asynchronous commits")
    } catch is CancellationError { ledger.count("cancelled writes") } catch { ledger.failure("a cancelled asyncWrite", error) }
  }

  /// A loop over changes that ends with the second one.
  private func loop() async {
    var count = 0
    ledger.step(editor.identifier, "begins a loop")
    for await _ in realm.objects(Counter.self).changes {
      count += 1
      if count == 2 { break }
      await write()
      ledger.step(editor.identifier, "waits for a change in a loop")
    }
    ledger.count("loops over changes")
  }

  private func close() -> Editor {
    tokens.forEach { $0.invalidate() }
    tokens = []
    realm = nil
    return editor
  }
}
