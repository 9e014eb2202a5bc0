import RealmStorage
import Testing

@testable import RealmSwift

// Left out of the default schema, which belongs to other tests of this process.
private class DiscoveredBase: Object {
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  @Persisted var first: Int
  @Persisted(indexed: true) var second: String?
  let notPersisted = 1
}
private final class DiscoveredDerived: DiscoveredBase {
  @Persisted var _underscored: Int
  @Persisted var `class`: Int
  @Persisted var größe: Double
}
private class DiscoveredGeneric<Element: RealmCollectionValue & _Persistable>: Object {
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  @Persisted var element: Element
}
private final class DiscoveredSpecialised: DiscoveredGeneric<String> { @Persisted var own: Int }
private enum Outer {
  final class DiscoveredNested: EmbeddedObject {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted var value: Int
  }
}
@MainActor private final class DiscoveredOnMain: Object {
  override nonisolated class func shouldIncludeInDefaultSchema() -> Bool { false }
  @Persisted var value: Int
}
private final class DiscoveredIgnored: Object {
  override class func _realmIgnoreClass() -> Bool { true }
  @Persisted var value: Int
}
private final class DiscoveredBare: Object {
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  var storage = Persisted<Int>()
}

@Suite struct DiscoveryTests {
  @Test func classesOfEveryKindAreFoundAndOnlySubclasses() throws {
    final class DiscoveredLocal: AsymmetricObject { override class func shouldIncludeInDefaultSchema() -> Bool { false } }
    _ = DiscoveredLocal()
    let names = try discoverModelClasses().map { String(describing: $0) }
    for name in [
      "DiscoveredBase", "DiscoveredDerived", "DiscoveredSpecialised", "DiscoveredNested", "DiscoveredOnMain", "DiscoveredLocal",
    ] {
      #expect(names.filter { $0 == name }.count == 1, "\(name) in \(names)")
    }
    #expect(!names.contains { $0.hasPrefix("DiscoveredGeneric") || $0 == "DiscoveredIgnored" })
    for name in ["ObjectBase", "Object", "EmbeddedObject", "AsymmetricObject", "DynamicObject", "DiscoveryMarker"] {
      #expect(!names.contains(name))
    }
  }

  @Test func anIgnoredClassIsInSchemasThatNameIt() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: "an ignored class", objectTypes: [DiscoveredIgnored.self]))
    try realm.write { realm.create(DiscoveredIgnored.self, value: [7]) }
    #expect(realm.objects(DiscoveredIgnored.self).map(\.value) == [7])
  }

  @Test func classesComeInTheOrderOfTheirNames() throws {
    let names = try discoverModelClasses().map { String(describing: $0) }
    #expect(names == names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    #expect(try discoverModelClasses().map(ObjectIdentifier.init) == discoverModelClasses().map(ObjectIdentifier.init))
  }

  @Test func fieldsComeSuperclassFirstThenInTheOrderOfDeclaration() throws {
    let fields = try persistedFields(of: DiscoveredDerived.self)
    #expect(fields.map(\.name) == ["first", "second", "_underscored", "class", "größe"])
    #expect(fields.map(\.byteOffset) == fields.map(\.byteOffset).sorted())
    #expect(fields[1].type is Persisted<String?>.Type)
    #expect(try persistedFields(of: DiscoveredSpecialised.self).map(\.name) == ["element", "own"])
  }

  @Test func byteOffsetsLeadToTheWrappers() throws {
    let object = DiscoveredDerived()
    let fields = try persistedFields(of: DiscoveredDerived.self)
    #expect(fields.map { $0.type._flags(object, $0.byteOffset) } == [0, 1, 0, 0, 0])
  }

  @Test func aWrapperThatIsDeclaredByHandIsRefused() {
    #expect(
      throws: RealmFailure.misuse("Property 'storage' of 'DiscoveredBare' holds a 'Persisted' itself: declare it with the attribute @Persisted.")
    ) {
      try persistedFields(of: DiscoveredBare.self)
    }
  }
}
