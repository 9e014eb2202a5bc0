import Foundation
import TestSupport
import Testing

@testable import RealmSwift

private class PlainHome: UnlistedEmbedded { @Persisted var street = "" }
private class GrandHome: PlainHome { @Persisted var rooms = 30 }
private class Telephone: UnlistedEmbedded {
  @Persisted var number = 0
  @Persisted var calls: List<Int>
}
private class Inhabitant: Unlisted {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var home: PlainHome?
  @Persisted var phone: Telephone?
  @Persisted var homes: List<PlainHome>
  @Persisted var byName: Map<String, PlainHome?>
}

/// An embedded object becomes the accessor of a row of its own class only: others have their properties elsewhere.
@Suite struct EmbeddedClassTests {
  private let directory = TestDirectory()

  private func refusal(_ body: (Inhabitant, Realm) throws -> Void) throws -> String {
    let types = [Inhabitant.self, PlainHome.self, GrandHome.self, Telephone.self] as [ObjectBase.Type]
    let realm = try Realm(configuration: Realm.Configuration(fileURL: directory.fileURL(), objectTypes: types))
    let error = #expect(throws: Realm.Error.self) { try realm.write { try body(realm.create(Inhabitant.self, value: [1]), realm) } }
    return error?.localizedDescription ?? "nothing"
  }

  @Test func anObjectOfAnotherClassIsRefused() throws {
    let text = try refusal { (inhabitant, _) in try inhabitant.throwing.setValue(PlainHome(), forKey: "phone") }
    #expect(text == "Can't set object of type 'PlainHome' to property of type 'Telephone'")
  }

  @Test func anObjectOfADerivedClassIsRefusedInAProperty() throws {
    let text = try refusal { (_, realm) in
      let other = Inhabitant(value: [2])
      other.home = GrandHome()
      try realm.throwing.add(other)
    }
    #expect(text == "Can't set object of type 'GrandHome' to property of type 'PlainHome'")
  }

  @Test func anObjectOfADerivedClassIsRefusedInAList() throws {
    let text = try refusal { (inhabitant, _) in try inhabitant.homes.throwing.append(GrandHome()) }
    #expect(text == "Object of type 'GrandHome' does not match List type 'PlainHome'.")
    let update = try refusal { (inhabitant, realm) in
      inhabitant.homes.append(PlainHome())
      let other = Inhabitant(value: [1])
      other.homes.append(GrandHome())
      try realm.throwing.add(other, update: .modified)
    }
    #expect(update == text)
  }

  @Test func anObjectOfADerivedClassIsRefusedInAMap() throws {
    let text = try refusal { (inhabitant, _) in try inhabitant.byName.throwing.updateValue(GrandHome(), forKey: "a") }
    #expect(text == "Value of type 'GrandHome' does not match Map value type 'PlainHome'.")
  }
}
