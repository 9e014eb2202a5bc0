import Foundation
import RealmStorage
import RealmSwift
import TestSupport
import Testing

final class LedgerPage: Object { @Persisted var text: String }

final class Ledger: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var number: Int
  @Persisted var page: LedgerPage?
}

/// What becomes of a program in whose file another one, of another version, gives the same columns another meaning.
@Suite(.mustEnd) struct OtherSchemaTests {
  let directory = TestDirectory()

  enum Change: String, CaseIterable {
    case renamed, primaryKey, replaced, embedded

    func apply(_ group: Group) throws(StorageError) {
      let table = try group.table(named: "class_Ledger")!
      let number = try table.column(named: "number").key
      switch self {
      case .renamed: try table.renameColumn(number, to: "count")
      case .primaryKey: try table.setPrimaryKey(number)
      case .replaced:
        try table.removeColumn(number)
        _ = try table.addColumn(ColumnDefinition("number", .string))
      case .embedded: try group.table(named: "class_LedgerPage")!.setKind(.embedded)
      }
    }

    var text: String {
      switch self {
      case .renamed: "- Property 'Ledger.number' has been removed."
      case .primaryKey: "- Primary Key for class 'Ledger' has changed from 'id' to 'number'."
      case .replaced: "- Property 'Ledger.number' has been changed from 'int' to 'string'."
      case .embedded: "- Class 'LedgerPage' has been changed from TopLevel to Embedded."
      }
    }
  }

  enum Use: String, CaseIterable {
    case find, query, write, freeze

    func run(_ realm: Realm, _ change: Change) throws {
      let pages = change == .embedded
      switch self {
      case .find: _ = pages ? realm.objects(LedgerPage.self).count : realm.object(ofType: Ledger.self, forPrimaryKey: 7)?.id
      case .query:
        _ = pages ? realm.objects(LedgerPage.self).where { $0.text == "a" }.count : realm.objects(Ledger.self).where { $0.number == 1 }.count
      case .write: try realm.write { if pages { realm.add(LedgerPage()) } else { realm.add(Ledger(value: [9, 9])) } }
      case .freeze: _ = realm.freeze()
      }
    }
  }

  @Test(.endsProcesses, arguments: Change.allCases, Use.allCases) func anotherMeaningOfTheSameColumnsIsNoted(_ change: Change, _ use: Use) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [path = directory.path as String, change = change.rawValue as String, use = use.rawValue as String] in
      let (change, use) = (try #require(Change(rawValue: change)), try #require(Use(rawValue: use)))
      let realm = try Realm(configuration: TestDirectory.configuration(in: path, [Ledger.self, LedgerPage.self]), queue: nil)
      try realm.write { for number in 0..<3 { realm.add(Ledger(value: [number, number + 7])) } }
      _ = realm.objects(LedgerPage.self).count
      let database = try Database.open(path: path + "/test.realm")
      try database.write { (group) throws(StorageError) in try change.apply(group) }
      realm.refresh()
      try use.run(realm, change)
    }
    let text = "Unsupported schema changes were made by another client or process:\n\(change.text)"
    #expect(result?.stopped(with: text) == true, "\(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self))")
  }
}
