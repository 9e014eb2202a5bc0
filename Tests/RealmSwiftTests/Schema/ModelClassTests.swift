import RealmStorage
import Testing

@testable import RealmSwift

private class Hidden: Object { override class func shouldIncludeInDefaultSchema() -> Bool { false } }
private class HiddenEmbedded: EmbeddedObject { override class func shouldIncludeInDefaultSchema() -> Bool { false } }

private final class MCAddress: HiddenEmbedded { @Persisted var street: String? }
private final class MCDog: Hidden {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name: String
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<MCPerson>
  @Persisted var age: Int?
}
private final class MCPerson: Hidden {
  @Persisted var dogs: List<MCDog>
  @Persisted var best: MCDog?
  @Persisted var address: MCAddress?
  @Persisted var byName: Map<String, MCDog?>
  @Persisted var tags: MutableSet<String?>
  @Persisted var any: AnyRealmValue
}
private final class MCRenamed: Hidden {
  override class func _realmObjectName() -> String? { "StoredName" }
  override class func propertiesMapping() -> [String: String] { ["swiftName": "stored_name"] }
  override class func primaryKey() -> String? { "swiftName" }
  @Persisted var swiftName: String
}
private final class MCTwin1: Hidden {
  override class func _realmObjectName() -> String? { "MCTwin" }
  @Persisted var value: Int
}
private final class MCTwin2: Hidden {
  override class func _realmObjectName() -> String? { "MCTwin" }
  @Persisted var value: Int
}

private class MCShadowBase: Hidden {
  @Persisted private var secret: Int
  @Persisted private var other: Int
}
private final class MCShadow: MCShadowBase { @Persisted var secret: Int }
private final class MCShadows: MCShadowBase {
  @Persisted var secret: Int
  @Persisted var other: Int
}
private final class MCEmpty: Object {
  @TaskLocal static var isIncluded = false
  override class func shouldIncludeInDefaultSchema() -> Bool { isIncluded }
}
private final class MCLink: Hidden { @Persisted var dog: MCDog }
private final class MCOptionalList: Hidden { @Persisted var dogs: List<MCDog?> }
private final class MCOptionalSet: Hidden { @Persisted var dogs: MutableSet<MCDog?> }
private final class MCMap: Hidden { @Persisted var dogs: Map<String, MCDog> }
private final class MCAny: Hidden { @Persisted var any: AnyRealmValue? }
private final class MCAnyList: Hidden { @Persisted var any: List<AnyRealmValue?> }
private final class MCAnySet: Hidden { @Persisted var any: MutableSet<AnyRealmValue?> }
private final class MCAnyMap: Hidden { @Persisted var any: Map<String, AnyRealmValue?> }
private final class MCBacklink: Hidden { @Persisted var owners: LinkingObjects<MCPerson> }
private final class MCTwoKeys: Hidden {
  @Persisted(primaryKey: true) var a: Int
  @Persisted(primaryKey: true) var b: Int
}
private final class MCWrongKey: Hidden {
  override class func primaryKey() -> String? { "a" }
  @Persisted var a: Double
}
private final class MCMissingKey: Hidden {
  override class func primaryKey() -> String? { "b" }
  @Persisted var a: Int
}
private final class MCReentrant: Hidden {
  // SAFETY: one test makes objects of this class, on one thread.
  nonisolated(unsafe) static var failure: RealmFailure?
  @Persisted var value: Int
  override init() {
    super.init()
    do { _ = try ModelClass.of(MCDog2.self) } catch { Self.failure = error as? RealmFailure }
    _ = Self.sharedSchema()
  }
}
private final class MCDog2: Hidden { @Persisted var value: Int }

/// Its initialisers, as programs for the original have them, and what they leave behind.
private class MCNamed: Hidden {
  @Persisted var name = "unnamed"
  var madeBy: [String]
  override init() {
    madeBy = ["MCNamed"]
    super.init()
  }
  convenience init(name: String) {
    self.init()
    self.name = name
  }
}
private class MCNicknamed: MCNamed {
  override init() {
    super.init()
    madeBy.append("MCNicknamed")
  }
}
private class MCInherits: MCNicknamed { var own = 7 }
private final class MCSized: Hidden {
  @Persisted var size: Int
  let isOwn: Bool
  init(size: Int) {
    isOwn = true
    super.init()
    self.size = size
  }
  override convenience init() { self.init(size: 3) }
}
private protocol MCLoaded {}
extension MCLoaded where Self: Object { static func load() -> Self { Self() } }
extension MCNamed: MCLoaded {}
private func make<T: Object>(_ type: T.Type) -> T { T() }

@Suite struct ModelClassTests {
  @Test func objectsOfClassesKnownAtRunTimeAreMadeByTheInitialisersOfTheClass() {
    func made(_ type: (some MCNamed).Type) -> [MCNamed] {
      let anyType: Object.Type = type
      return [make(type), type.load()] + [anyType.init()].compactMap { $0 as? MCNamed }
    }
    #expect(made(MCNamed.self).map(\.madeBy) == Array(repeating: ["MCNamed"], count: 3))
    #expect(made(MCNicknamed.self).map(\.madeBy) == Array(repeating: ["MCNamed", "MCNicknamed"], count: 3))
    for object in made(MCInherits.self) {
      #expect(object.madeBy == ["MCNamed", "MCNicknamed"] && object.name == "unnamed" && (object as? MCInherits)?.own == 7)
    }
  }

  @Test func initialisersMayBeOverriddenAsWithTheOriginal() throws {
    #expect(MCInherits(name: "Ada").madeBy == ["MCNamed", "MCNicknamed"])
    #expect(make(MCSized.self).isOwn && MCSized().size == 3 && MCSized(size: 4).size == 4)
    let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "initialisers", objectTypes: [MCInherits.self, MCSized.self]))
    try realm.write { realm.add([MCInherits(name: "Ada"), MCSized(size: 5)]) }
    let named = try #require(realm.objects(MCInherits.self).first), sized = try #require(realm.objects(MCSized.self).first)
    #expect(named.name == "Ada" && named.madeBy == ["MCNamed", "MCNicknamed"] && named.own == 7)
    #expect(sized.size == 5 && sized.isOwn)
  }

  @Test func aClassKnowsItsPropertiesInSchemaOrder() throws {
    let dog = try ModelClass.of(MCDog.self)
    #expect(dog.className == "MCDog")
    #expect(dog.schema.properties.map(\.name) == ["id", "name", "age"])
    #expect(dog.schema.computedProperties.map(\.name) == ["owners"])
    #expect(dog.fields.map(\.name) == ["id", "name", "age", "owners"])
    #expect(dog.primaryKeySlot == 0 && dog.slot("owners") == 3 && dog.property(at: 3).linkOriginPropertyName == "dogs")
    #expect(dog.schema["id"]?.isPrimary == true && dog.schema["id"]?.isIndexed == true && dog.schema["name"]?.isIndexed == true)
    #expect(dog.schema["age"]?.isOptional == true && dog.schema["owners"]?.objectClassName == "MCPerson")
    #expect(ModelClass.registered(MCDog.self) === dog)
    #expect(MCDog.sharedSchema() == dog.schema && Object.sharedSchema() == nil)
  }

  @Test func linksAndCollectionsHaveTheFlagsOfTheSDK() throws {
    let person = try ModelClass.of(MCPerson.self).schema
    #expect(person["dogs"]?.isArray == true && person["dogs"]?.isOptional == false && person["dogs"]?.objectClassName == "MCDog")
    #expect(person["best"]?.isOptional == true && person["address"]?.type == .object)
    #expect(person["byName"]?.isMap == true && person["byName"]?.isOptional == true)
    #expect(person["tags"]?.isSet == true && person["tags"]?.isOptional == true)
    #expect(person["any"]?.isOptional == false && person["any"]?.type == .any)
    #expect(try ModelClass.of(MCAddress.self).schema.isEmbedded)
  }

  @Test func namesInTheFileMayDiffer() throws {
    let schema = try ModelClass.of(MCRenamed.self).schema
    #expect(schema.className == "StoredName" && MCRenamed.className() == "StoredName")
    #expect(schema["swiftName"]?.columnName == "stored_name")
    #expect(schema.primaryKeyProperty?.name == "swiftName")
  }

  private func text(_ type: ObjectBase.Type) -> String? {
    do { _ = try ModelClass.of(type) } catch { return ErrorBorder.text(of: error, path: nil) }
    return nil
  }

  @Test func mistakesInClassesHaveTheirTexts() {
    #expect(text(MCLink.self) == "Object property 'dog' must be marked as optional.")
    #expect(text(MCOptionalList.self) == "List<MCDog> property 'dogs' must not be marked as optional.")
    #expect(text(MCOptionalSet.self) == "MutableSet<MCDog> property 'dogs' must not be marked as optional.")
    #expect(text(MCMap.self) == "Map<String, MCDog> property 'dogs' must be marked as optional.")
    let nils = "property 'any' must not be marked as optional: nil values are represented as AnyRealmValue.none"
    #expect(text(MCAny.self) == "AnyRealmValue " + nils)
    #expect(text(MCAnyList.self) == "List<AnyRealmValue> " + nils)
    #expect(text(MCAnySet.self) == "MutableSet<AnyRealmValue> " + nils)
    #expect(text(MCAnyMap.self) == "Map<String, AnyRealmValue> " + nils)
    #expect(
      text(MCBacklink.self)
        == "LinkingObjects<MCPerson> property 'owners' must set the origin property name with @Persisted(originProperty: \"name\").")
    #expect(text(MCTwoKeys.self) == "Properties 'b' and 'a' are both marked as the primary key of 'MCTwoKeys'")
    #expect(
      text(MCWrongKey.self)
        == "Property 'a' cannot be made the primary key of 'MCWrongKey' because it is not a 'string', 'int', 'objectId', or 'uuid' property.")
    #expect(text(MCMissingKey.self) == "Primary key property 'b' does not exist on object 'MCMissingKey'")
    #expect(text(MCShadow.self) == "Property 'secret' is declared multiple times in the class hierarchy of 'MCShadow'")
    #expect(
      text(MCShadows.self) == "Object 'MCShadows' has properties that are declared multiple times in its class hierarchy: 'secret', 'other'")
    let empty = MCEmpty.$isIncluded.withValue(true) { text(MCEmpty.self) }
    #expect(empty == "No properties are defined for 'MCEmpty'. Did you remember to mark them with '@Persisted' in your model?")
    #expect(text(MCEmpty.self) == nil)
    #expect(text(Object.self) == "Can't add non-Object type 'Object' to a schema.")
  }

  @Test func anInitialiserThatAsksForSchemasIsRefused() throws {
    _ = try ModelClass.of(MCReentrant.self)
    let text = try #require(MCReentrant.failure?.text)
    #expect(text.hasPrefix("Illegal recursive call of +["))
    #expect(text.hasSuffix("Note: Properties of Swift `Object` classes must not be prepopulated with queried results from a Realm."))
    #expect(MCReentrant.sharedSchema()?.className == "MCReentrant")
  }

  @Test func theDefaultSchemaHoldsTheClassesThatBelongToIt() throws {
    let schema = try ModelSchemas.defaultSchema()
    #expect(schema["Person"]?.modelType == Person.self && schema["Address"]?.isEmbedded == true)
    #expect(schema["MCDog"] == nil && schema["DynamicObject"] == nil && schema["Object"] == nil)
    #expect(SchemaValidation.problems(in: schema).isEmpty)
  }

  @Test func aSubsetHoldsExactlyItsClasses() throws {
    let schema = try ModelSchemas.subset([MCPerson.self, MCDog.self, MCAddress.self, MCDog.self])
    #expect(schema.objectSchema.map(\.className) == ["MCAddress", "MCDog", "MCPerson"])
    #expect(schema["MCDog"]?.modelType == MCDog.self)
  }

  @Test func aSubsetNamesTheClassesThatItLacks() {
    #expect(
      throws: RealmFailure.misuse(
        """
        Invalid class subset list:
        - 'MCPerson.dogs' links to class 'MCDog', which is missing from the list of classes managed by the Realm
        - 'MCPerson.best' links to class 'MCDog', which is missing from the list of classes managed by the Realm
        - 'MCPerson.byName' links to class 'MCDog', which is missing from the list of classes managed by the Realm
        """)
    ) { try ModelSchemas.subset([MCPerson.self, MCAddress.self]) }
    #expect(throws: RealmFailure.misuse("Can't add non-Object type 'DynamicObject' to a schema.")) { try ModelSchemas.subset([DynamicObject.self]) }
  }

  @Test func twoClassesOfOneNameAreRefusedWithBothNames() throws {
    let failure = try #require(throws: RealmFailure.self) { try ModelSchemas.subset([MCTwin1.self, MCTwin2.self]) }
    #expect(
      failure.text.hasPrefix(
        "Object subclasses with the same name cannot be included twice in the same target. Please make sure 'MCTwin' is only linked once to your current target."
      ))
    #expect(failure.text.contains("MCTwin1") && failure.text.contains("MCTwin2"))
  }

  @Test func descriptionsHaveTheLayoutOfTheSDK() throws {
    let schema = try ModelSchemas.subset([MCRenamed.self, MCAddress.self])
    #expect(
      schema.description == """
        Schema {
        \tMCAddress (embedded) {
        \t\tstreet {
        \t\t\ttype = string;
        \t\t\tcolumnName = street;
        \t\t\tindexed = NO;
        \t\t\tisPrimary = NO;
        \t\t\tarray = NO;
        \t\t\tset = NO;
        \t\t\tdictionary = NO;
        \t\t\toptional = YES;
        \t\t}
        \t}
        \tStoredName {
        \t\tswiftName {
        \t\t\ttype = string;
        \t\t\tcolumnName = stored_name;
        \t\t\tindexed = YES;
        \t\t\tisPrimary = YES;
        \t\t\tarray = NO;
        \t\t\tset = NO;
        \t\t\tdictionary = NO;
        \t\t\toptional = NO;
        \t\t}
        \t}
        }
        """)
    let owners = try #require(try ModelClass.of(MCDog.self).schema["owners"])
    #expect(
      owners.description.hasPrefix(
        "owners {\n\ttype = linking objects;\n\tobjectClassName = MCPerson;\n\tlinkOriginPropertyName = dogs;\n\tcolumnName = owners;\n"))
  }

  @Test func typesInTextsAreThoseOfTheEngine() {
    func text(_ type: PropertyType, _ collection: CollectionKind? = nil, optional: Bool = false, target: String? = nil) -> String {
      Property(name: "p", type: type, collection: collection, isOptional: optional, objectClassName: target).typeText
    }
    #expect(text(.int) == "int" && text(.objectId, optional: true) == "object id?" && text(.object, optional: true, target: "Dog") == "<Dog>")
    #expect(text(.object, .list, target: "Dog") == "array<Dog>" && text(.int, .set) == "set<int>")
    #expect(text(.int, .dictionary) == "dictionary<string, int>" && text(.any) == "mixed")
  }
}
