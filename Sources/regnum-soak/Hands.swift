import Dispatch
import Foundation
import Randomness
import RealmSwift

/// Threads that write and read with realms of their own, opened again and again.
struct Hands {
  let configuration: Realm.Configuration
  let ledger: Ledger
  /// Whether the number of commits of each writer is printed after each.
  var tellsOfCommits = false

  /// - Returns: how many transactions were committed.
  func write(_ editor: Editor, until end: Date) -> Int {
    var (editor, count) = (editor, 0)
    while Date() < end {
      _ = ledger.attempt("writing") {
        let realm = try Realm(configuration: configuration)
        for _ in 0..<50 where Date() < end {
          if editor.random.below(10) == 0 {
            realm.beginWrite()
            editor.edit(realm)
            realm.cancelWrite()
            ledger.count("cancelled writes")
          } else {
            try realm.write { editor.edit(realm) }
            count += 1
            if tellsOfCommits { try FileHandle.standardOutput.write(contentsOf: Data("\(editor.identifier) \(count)\n".utf8)) }
            ledger.count("synchronous commits")
          }
        }
      }
    }
    return count
  }

  /// Reads, freezes, and hands over to another thread, which reads the same.
  func read(seed: UInt64, until end: Date) {
    var random = SeededGenerator(seed: seed)
    let other = DispatchQueue(label: "reader")
    while Date() < end {
      _ = ledger.attempt("reading") {
        let realm = try Realm(configuration: configuration)
        for _ in 0..<20 where Date() < end {
          realm.refresh()
          if let disorder = realm.disorder { ledger.violation("a reader: \(disorder)") }
          let frozen = realm.objects(Part.self).freeze()
          let reference = ThreadSafeReference(to: realm.objects(Part.self))
          let ids = Array(frozen.map(\.id))
          other.sync {
            if Array(frozen.map(\.id)) != ids { ledger.violation("frozen results changed") }
            _ = ledger.attempt("resolving") {
              let realm = try Realm(configuration: configuration)
              if realm.resolve(reference)?.realm?.disorder != nil { ledger.violation("results that were handed over are out of order") }
            }
          }
          ledger.count("rounds of reading")
          if random.below(10) == 0 { Thread.sleep(forTimeInterval: 0.01) }
        }
      }
    }
  }
}
