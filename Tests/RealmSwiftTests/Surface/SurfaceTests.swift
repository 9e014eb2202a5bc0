import Dispatch
import Foundation
import RealmSwift
import TestSupport
import Testing

// Every documented declaration and overload of the local surface that needs no notification, spelled as a client would. That this compiles is the
// test; the behaviour is tested elsewhere.

@Suite(.mustEnd) struct SurfaceTests {
  /// Calls nothing but what has no effect: the functions below are there to be compiled.
  @Test func theDocumentedSurfaceCompiles() {
    let parts: [Any] = [
      Surface.realm, Surface.transactions, Surface.objects, Surface.lookups, Surface.files, Surface.configuration, Surface.errors, Surface.migration,
      Surface.reflection, Surface.handOver, Surface.logging, Surface.models, Surface.mixed, Surface.values, Surface.lists, Surface.sets, Surface.maps,
      Surface.projections, Surface.sections, Surface.queries, Surface.actors, Surface.changes,
    ]
    #expect(parts.count == 22)
  }
}

enum Surface {
  // MARK: Realms

  static func realm(_ url: URL, _ queue: DispatchQueue, _ configuration: Realm.Configuration) throws {
    _ = try Realm()
    _ = try Realm(queue: queue)
    _ = try Realm(queue: nil)
    _ = try Realm(configuration: configuration)
    _ = try Realm(configuration: configuration, queue: queue)
    let realm = try Realm(fileURL: url)
    let _: Schema = realm.schema
    let _: Realm.Configuration = realm.configuration
    let _: Bool = realm.isEmpty && realm.isInWriteTransaction && realm.isPerformingAsynchronousWriteOperations && realm.isFrozen
    realm.autorefresh = !realm.autorefresh
    let _: Events? = realm.events
    _ = realm == realm
    let task: Realm.AsyncOpenTask = Realm.asyncOpen(configuration: configuration, callbackQueue: .main) { (result: Result<Realm, Error>) in
      switch result {
      case .success(let realm): _ = realm.isEmpty
      case .failure(let error): _ = error.localizedDescription
      }
    }
    Realm.asyncOpen { _ in }
    Realm.asyncOpen(configuration: configuration) { _ in }
    task.cancel()
    task.addProgressNotification { progress in _ = progress.fractionTransferred }
    task.addProgressNotification(queue: .main) { progress in _ = progress.isTransferComplete }
  }

  static func transactions(_ realm: Realm, _ token: NotificationToken) throws {
    try realm.write { realm.deleteAll() }
    let number: Int = try realm.write { 3 }
    _ = number
    try realm.write(withoutNotifying: [token]) {}
    realm.beginWrite()
    try realm.commitWrite()
    try realm.commitWrite(withoutNotifying: [token])
    realm.cancelWrite()
    realm.writeAsync {}
    realm.writeAsync {
    } onComplete: { error in
      _ = error
    }
    realm.writeAsync({}, onComplete: nil)
    let identifier: AsyncTransactionId = realm.beginAsyncWrite {
      realm.commitAsyncWrite()
      realm.commitAsyncWrite { _ in }
      realm.commitAsyncWrite(allowGrouping: true)
      realm.commitAsyncWrite(allowGrouping: true) { (error: Error?) in _ = error }
    }
    try realm.cancelAsyncWrite(identifier)
    realm.refresh()
    let _: Bool = realm.refresh()
    realm.invalidate()
    let _: Realm = realm.freeze().thaw()
    let observer: NotificationToken = realm.observe { (notification: Realm.Notification, realm: Realm) in
      if notification == .didChange || notification == .refreshRequired { _ = realm.isEmpty }
    }
    observer.invalidate()
  }

  static func objects(_ realm: Realm, _ toy: SToy, _ owner: SOwner) {
    realm.add(toy)
    realm.add(toy, update: .modified)
    realm.add([toy, toy])
    realm.add([toy], update: .all)
    realm.add(owner.toys)
    realm.create(SToy.self)
    realm.create(SToy.self, value: ["name": "a"])
    let created: SToy = realm.create(SToy.self, value: toy, update: .error)
    realm.create(SRecord.self, value: ["text": "a"])
    let dynamic: DynamicObject = realm.dynamicCreate("SToy", value: ["name": "x"], update: .all)
    realm.dynamicCreate("SToy")
    realm.delete(created)
    realm.delete(dynamic)
    realm.delete([toy])
    realm.delete(owner.toys)
    realm.delete(owner.byName)
    realm.delete(owner.best)
    realm.delete(realm.objects(SToy.self))
    realm.delete(owner.toys.filter("count > 1"))
    if let place = owner.place { realm.delete(place) }
    realm.deleteAll()
    let _: SToy = realm.freeze(toy)
    let _: SToy? = realm.thaw(toy)
    let _: Results<SToy> = realm.freeze(realm.objects(SToy.self))
    let _: List<SToy> = realm.freeze(owner.toys)
  }

  static func lookups(_ realm: Realm) {
    let _: Results<SToy> = realm.objects(SToy.self)
    let _: Results<SOwnerView> = realm.objects(SOwnerView.self)
    let _: Results<DynamicObject> = realm.dynamicObjects("SToy")
    let _: SToy? = realm.object(ofType: SToy.self, forPrimaryKey: ObjectId.generate())
    let _: SOwner? = realm.object(ofType: SOwner.self, forPrimaryKey: UUID())
    let _: SCodable? = realm.object(ofType: SCodable.self, forPrimaryKey: Optional<Int>.none)
    let _: DynamicObject? = realm.dynamicObject(ofType: "SToy", forPrimaryKey: ObjectId.generate())
  }

  static func files(_ realm: Realm, _ url: URL, _ configuration: Realm.Configuration) throws {
    try realm.writeCopy(toFile: url)
    try realm.writeCopy(toFile: url, encryptionKey: Data(count: 64))
    try realm.writeCopy(configuration: configuration)
    let _: Bool = Realm.fileExists(for: configuration)
    let _: Bool = try Realm.deleteFiles(for: configuration)
    try Realm.performMigration()
    try Realm.performMigration(for: configuration)
    let _: UInt64 = try schemaVersionAtURL(url)
    let _: UInt64 = try schemaVersionAtURL(url, encryptionKey: nil)
  }

  // MARK: Configurations, schemas, migrations

  static func configuration(_ url: URL) {
    var configuration = Realm.Configuration.defaultConfiguration
    Realm.Configuration.defaultConfiguration = configuration
    configuration = Realm.Configuration(
      fileURL: url, inMemoryIdentifier: nil, syncConfiguration: nil, encryptionKey: nil, readOnly: false, schemaVersion: 2,
      migrationBlock: { (migration: Migration, oldSchemaVersion: UInt64) in _ = (migration, oldSchemaVersion) }, deleteRealmIfMigrationNeeded: false,
      shouldCompactOnLaunch: { (totalBytes: Int, usedBytes: Int) in totalBytes > usedBytes }, objectTypes: [SToy.self, SOwner.self, SPlace.self],
      seedFilePath: url)
    configuration.fileURL = url
    configuration.inMemoryIdentifier = "memory"
    configuration.encryptionKey = nil
    configuration.readOnly = true
    configuration.schemaVersion += 1
    configuration.migrationBlock = nil
    configuration.deleteRealmIfMigrationNeeded = true
    configuration.shouldCompactOnLaunch = nil
    configuration.objectTypes = [SToy.self]
    configuration.maximumNumberOfActiveVersions = 10
    configuration.seedFilePath = nil
    configuration.eventConfiguration = EventConfiguration(metadata: ["a": "b"], partitionPrefix: "events", logger: nil, errorHandler: nil)
    configuration.syncConfiguration = nil
    let _: String = configuration.description
    _ = configuration == configuration
    let _: any Sendable = configuration
  }

  static func errors(_ body: () throws -> Void) {
    do { try body() } catch Realm.Error.fileNotFound {} catch Realm.Error.schemaMismatch {} catch Realm.Error.addressSpaceExhausted {
    } catch let error as Realm.Error where error.code == .incompatibleLockFile {
      _ = (error.fileURL, error.userInfo, error.localizedDescription, error.errorCode)
    } catch {
      _ = error == Realm.Error(.fail)
      _ = error == Realm.Error.callFailed
    }
    let codes: [Realm.Error.Code] = [
      .fail, .fileAccess, .filePermissionDenied, .fileExists, .fileNotFound, .fileFormatUpgradeRequired, .incompatibleLockFile,
      .addressSpaceExhausted, .schemaMismatch, .alreadyOpen, .invalidInput, .outOfDiskSpace, .incompatibleSession, .unsupportedFileFormatVersion,
      .multipleSyncAgents, .subscriptionFailed, .fileOperationFailed, .invalidDatabase, .incompatibleHistories, .noSubscriptionForWrite,
    ]
    _ = codes.map(\.rawValue)
  }

  static func migration(_ migration: Migration) {
    let _: Schema = migration.oldSchema
    let _: Schema = migration.newSchema
    migration.enumerateObjects(ofType: SToy.className()) { (oldObject: MigrationObject?, newObject: MigrationObject?) in
      let firstName = oldObject!["firstName"] as? String
      newObject!["name"] = "\(firstName!) \(oldObject!["lastName"]!)"
      newObject?.setValue(3, forKey: "count")
      _ = oldObject?.value(forKey: "count")
      if let newObject { migration.delete(newObject) }
    }
    let created: MigrationObject = migration.create("SToy", value: ["name": "a"])
    migration.create("SToy")
    _ = created.dynamicList("toys")
    migration.deleteData(forType: "SToy")
    let _: Bool = migration.deleteData(forType: "SToy")
    migration.renameProperty(onType: "SToy", from: "a", to: "b")
    let _: MigrationBlock = { migration, oldSchemaVersion in if oldSchemaVersion < 1 { migration.deleteData(forType: "X") } }
    let _: MigrationObjectEnumerateBlock = { _, _ in }
  }

  static func reflection(_ schema: Schema) {
    let _: [ObjectSchema] = schema.objectSchema
    guard let toy = schema["SToy"] else { return }
    let _: [Property] = toy.properties
    let _: (String, AnyClass, Bool, Bool) = (toy.className, toy.objectClass, toy.isEmbedded, toy.isAsymmetric)
    let _: Property? = toy.primaryKeyProperty
    guard let property = toy["name"] else { return }
    let _: (String, String, PropertyType) = (property.name, property.columnName, property.type)
    let _: Bool = property.isArray || property.isSet || property.isMap || property.isIndexed || property.isOptional
    let _: String? = property.objectClassName
    _ = [schema.description, toy.description, property.description]
    _ = (schema == schema, toy == toy, property == property)
    let _: [any Sendable] = [schema, toy, property]
    let types: [PropertyType] = [.int, .bool, .string, .data, .date, .float, .double, .object, .linkingObjects, .any, .objectId, .decimal128, .UUID]
    _ = types.map(\.rawValue)
    let _: ObjectSchema? = SToy.sharedSchema()
    let _: PropertyKey = 3
  }

  static func handOver(_ realm: Realm, _ toy: SToy, _ owner: SOwner) {
    let reference = ThreadSafeReference(to: toy)
    let _: Bool = reference.isInvalidated
    let _: SToy? = realm.resolve(reference)
    let _: List<SToy>? = realm.resolve(ThreadSafeReference(to: owner.toys))
    let _: MutableSet<String>? = realm.resolve(ThreadSafeReference(to: owner.words))
    let _: Map<String, Double>? = realm.resolve(ThreadSafeReference(to: owner.prices))
    let _: Results<SToy>? = realm.resolve(ThreadSafeReference(to: realm.objects(SToy.self)))
    let _: LinkingObjects<SToy>? = realm.resolve(ThreadSafeReference(to: owner.owned))
    let _: SOwnerView? = realm.resolve(ThreadSafeReference(to: SOwnerView(projecting: owner)))
    let _: any Sendable = reference
    let holder = Holder(toy)
    holder.toy = nil
    let _: SToy? = holder.toy
  }
  final class Holder {
    @ThreadSafe var toy: SToy?
    init(_ toy: SToy) { self.toy = toy }
  }

  static func logging() {
    let logger = Logger(level: .all) { (level: LogLevel, message: String) in print("REALM DEBUG: \(Date.now) \(level) \(message)") }
    Logger.shared = logger
    Logger.shared.level = .trace
    let _: [LogLevel] = [.off, .fatal, .error, .warn, .info, .detail, .debug, .trace, .all]
  }

  // MARK: Models and values

  static func models(_ owner: SOwner, _ toy: SToy, _ place: SPlace) throws {
    let _: Realm? = owner.realm
    let _: ObjectSchema = owner.objectSchema
    let _: [Bool] = [owner.isInvalidated, owner.isFrozen, place.isInvalidated, place.isFrozen]
    let _: String = owner.description
    owner["name"] = "a"
    let _: Any? = owner["name"]
    let _: (SOwner, SOwner?) = (owner.freeze(), owner.thaw())
    let _: (SPlace, SPlace?) = (place.freeze(), place.thaw())
    let _: Bool = owner.isSameObject(as: toy) && place.isSameObject(as: place)
    let _: List<DynamicObject> = owner.dynamicList("toys")
    let _: MutableSet<DynamicObject> = owner.dynamicMutableSet("best")
    let _: Map<String, DynamicObject?> = owner.dynamicMap("byName")
    _ = [SOwner.className(), SPlace.className(), SRecord.className()]
    _ = (SOwner(value: ["name": "a"]), SPlace(value: [:] as [String: Any]), SRecord(value: ["text": "a"]))
    _ = Set([owner, owner])
    let identifiable: any ObjectKeyIdentifiable = owner
    let _: UInt64 = identifiable.id
    let dynamic = DynamicObject()
    dynamic["x"] = 1
    dynamic.x = 2
    let _: Any? = dynamic.x
    let data = try JSONEncoder().encode(SCodable(value: ["id": 1]))
    _ = try JSONDecoder().decode(SCodable.self, from: data)
    owner.setValue("b", forKey: "name")
    _ = (owner.value(forKey: "name"), owner.value(forKeyPath: "place.type"))
  }

  static func mixed(_ toy: SToy) {
    toy.any = .none
    for value: AnyRealmValue in [
      .int(1), .bool(true), .float(1), .double(1), .string("a"), .data(Data()), .date(Date()), .object(toy), .objectId(ObjectId()),
      .decimal128(1), .uuid(UUID()), .fromArray([.int(1)]), .fromDictionary(["a": .none]), AnyRealmValue(),
    ] {
      switch value {
      case .none, .int, .bool, .float, .double, .string, .data, .date, .object, .objectId, .decimal128, .uuid: break
      case .dictionary(let map): _ = map["a"]
      case .list(let list): _ = list[0]
      }
      _ = (value.intValue, value.boolValue, value.floatValue, value.doubleValue, value.stringValue, value.dataValue, value.dateValue)
      _ = (value.objectIdValue, value.decimal128Value, value.uuidValue, value.object(SToy.self), value.dynamicObject)
      let _: Map<String, AnyRealmValue>? = value.dictionaryValue
      let _: List<AnyRealmValue>? = value.listValue
      _ = value.hashValue
    }
    toy.any.dictionaryValue?["k"] = .int(1)
  }

  static func values() throws {
    _ = (ObjectId(), ObjectId.generate(), try ObjectId(string: "000123450000ffbeef91906c"), ObjectId("000123450000ffbeef91906c"))
    let identifier = ObjectId(timestamp: Date(), machineId: 10, processId: 20)
    _ = (identifier.stringValue, identifier.timestamp, identifier < ObjectId(), identifier.description)
    var decimal: Decimal128 = 1.5
    decimal = "123.456"
    decimal = 3
    _ = (Decimal128(), Decimal128(value: 1), Decimal128(number: 3), try Decimal128(string: "1E3"), Decimal128(exactly: 7))
    _ = (decimal.doubleValue, decimal.decimalValue, decimal.stringValue, decimal.isNaN, decimal.isSignaling, decimal.isSignalingNaN)
    _ = (Decimal128.min, Decimal128.max, decimal + decimal, decimal - decimal, decimal * decimal, decimal / decimal, decimal.magnitude)
    decimal *= decimal
    _ = (decimal < decimal, decimal <= decimal, decimal == decimal, decimal.distance(to: decimal), decimal.advanced(by: decimal))
    let point = GeoPoint(latitude: 1, longitude: 2)!
    _ = (GeoPoint(latitude: 1, longitude: 2, altitude: 3), point.latitude, point.longitude, point.altitude)
    _ = (GeoBox(bottomLeft: point, topRight: point), GeoBox(bottomLeft: (1, 2), topRight: (3, 4)))
    _ = (
      GeoPolygon(outerRing: [point]), GeoPolygon(outerRing: [point], holes: [[point]]), GeoPolygon(outerRing: [(0, 0), (0, 1)], holes: [[(0, 0)]])
    )
    _ = GeoPolygon(outerRing: [(0, 0), (0, 1)], holes: [(0, 0)], [(1, 1)])
    _ = (Distance.kilometers(1), Distance.miles(1), Distance.degrees(1), Distance.radians(1))
    let distance = Distance.kilometers(3)!
    _ = (distance.radians, distance.asKilometers(), distance.asMiles(), distance.asDegrees())
    _ = (GeoCircle(center: point, radiusInRadians: 1), GeoCircle(center: point, radius: distance))
    _ = (GeoCircle(center: (1, 2), radiusInRadians: 1), GeoCircle(center: (1, 2), radius: distance))
    _ = autoreleasepool { 3 }
    _ = NSPredicate(format: "name == %@ AND count > %d", "a", 3)
    _ = NSPredicate(format: "name == %@", argumentArray: ["a"])
  }

  // MARK: Collections and queries

  /// What all collections have.
  static func collection<C: RealmCollection>(_ c: C) where C.Element == SToy {
    let _: (Realm?, Bool, Int, String, Bool) = (c.realm, c.isInvalidated, c.count, c.description, c.isFrozen)
    let _: (C, C?) = (c.freeze(), c.thaw())
    let _: (SToy?, SToy?, SToy) = (c.first, c.last, c[0])
    let _: Int? = c.index(of: c[0])
    let _: Int? = c.index(matching: NSPredicate(value: true))
    let _: Int? = c.index(matching: "name == %@", "a")
    let _: Int? = c.index(matching: { $0.count > 3 })
    let _: [SToy] = c.objects(at: [0, 1])
    let _: Results<SToy> = c.filter("name == %@ OR count > 3", "a")
    let _: Results<SToy> = c.filter(NSPredicate(format: "count > 3"))
    let _: Results<SToy> = c.where { $0.name == "a" && $0.count > 3 }
    let _: Results<SToy> = c.sorted(by: [SortDescriptor(keyPath: "name"), SortDescriptor(keyPath: \SToy.count, ascending: false)])
    let _: Results<SToy> = c.sorted(by: ["name", "count"])
    let _: Results<SToy> = c.sorted(byKeyPath: "name")
    let _: Results<SToy> = c.sorted(byKeyPath: "name", ascending: false)
    let _: Results<SToy> = c.sorted(by: \.name)
    let _: Results<SToy> = c.sorted(by: \.price, ascending: false)
    let _: Results<SToy> = c.distinct(by: ["name", "owner.name"])
    let _: Results<SToy> = c.distinct(by: [\SToy.name, \SToy.count])
    let least: Int? = c.min(ofProperty: "count")
    let most: Double? = c.max(ofProperty: "price")
    let sum: Int = c.sum(ofProperty: "count")
    let average: Double? = c.average(ofProperty: "count")
    _ = (least, most, sum, average)
    let _: (Int?, Date?, Int, Int?) = (c.min(of: \.count), c.max(of: \.made), c.sum(of: \.count), c.average(of: \.count))
    _ = (c.value(forKey: "name"), c.value(forKeyPath: "owner.name"), c.value(forKeyPath: "@sum.count"))
    c.setValue("x", forKey: "name")
    for toy in c { _ = toy.name }
    _ = c.map(\.name)
    _ = c.filter { $0.count > 3 }
    _ = c == c
    let _: SectionedResults<String, SToy> = c.sectioned(by: \.name)
    let _: SectionedResults<String, SToy> = c.sectioned(by: \.name, ascending: false)
    let _: SectionedResults<SKind, SToy> = c.sectioned(by: \.kind, sortDescriptors: [SortDescriptor(keyPath: "kind")])
    let _: SectionedResults<String, SToy> = c.sectioned(by: { String($0.name.prefix(1)) }, sortDescriptors: [SortDescriptor(keyPath: "name")])
    let _: SectionedResults<String, SToy> = c.sectioned(sortDescriptors: [SortDescriptor(keyPath: "name")]) { $0.name }
    let any = AnyRealmCollection(c)
    let _: SToy = any[0]
  }

  static func lists(_ owner: SOwner, _ toy: SToy) {
    collection(owner.toys)
    collection(owner.owned)
    collection(owner.toys.filter("count > 1"))
    collection(AnyRealmCollection(owner.toys))
    let list = owner.toys
    let _: Slice<List<SToy>> = list[0..<1]
    list.append(toy)
    list.append(objectsIn: [toy])
    list.append(objectsIn: owner.owned)
    list.insert(toy, at: 0)
    list.insert(contentsOf: [toy], at: 0)
    list[0] = toy
    list[0..<1] = list[1..<2]
    list.remove(at: 0)
    list.removeFirst()
    list.removeFirst(2)
    list.removeLast()
    list.removeLast(2)
    list.removeSubrange(0..<1)
    list.removeSubrange(1...)
    list.remove(atOffsets: IndexSet(integer: 0))
    list.replace(index: 0, object: toy)
    list.replaceSubrange(0..<1, with: [toy])
    list.move(from: 0, to: 1)
    list.move(fromOffsets: IndexSet(integer: 0), toOffset: 1)
    list.swapAt(0, 1)
    list.removeAll()
    let _: [AnyObject] = list.value(forKey: "name")
    let _: [AnyObject] = list.value(forKeyPath: "owner.name")
    owner.toys = List<SToy>()
    let numbers = owner.numbers
    let _: (Int?, Int?, Int) = (numbers.min(), numbers.max(), numbers.sum())
    let average: Double? = numbers.average()
    _ = average
    let _: (Results<Int>, Results<Int>, Results<Int>) = (numbers.sorted(), numbers.sorted(ascending: false), numbers.distinct())
    let _: SectionedResults<Bool, Int> = numbers.sectioned(by: { $0 > 3 }, ascending: true)
    _ = LinkingObjects(fromType: SToy.self, property: "owner")
  }

  static func sets(_ owner: SOwner, _ toy: SToy) {
    let set = owner.words
    let other = MutableSet<String>()
    set.insert("a")
    set.insert(objectsIn: ["b"])
    set.remove("a")
    _ = (set.contains("a"), set.isSubset(of: other), set.intersects(other), set[0], set.first)
    set.formUnion(other)
    set.formIntersection(other)
    set.subtract(other)
    set.removeAll()
    _ = owner.best.filter("count > 1")
  }

  static func maps(_ owner: SOwner, _ toy: SToy) {
    let map = owner.byName
    map["a"] = toy
    map["b"] = nil as SToy?
    let _: (Int, [String], [SToy?]) = (map.count, map.keys, map.values)
    map.updateValue(toy, forKey: "a")
    map.removeObject(for: "a")
    map.merge(owner.byName) { old, new in new }
    map.merge(["a": toy].map { (key: $0.key, value: Optional($0.value)) }, uniquingKeysWith: { $1 })
    let _: Results<SToy?> = map.filter(NSPredicate(value: true))
    let _: Results<SToy?> = map.where { $0.name == "a" }
    let _: Bool = map.contains { key, value in key == "a" && value != nil }
    let _: Results<SToy?> = map.sorted(byKeyPath: "name", ascending: true)
    let _: Results<SToy?> = map.sorted(by: [SortDescriptor(keyPath: "name")])
    let _: Results<SToy?> = map.sorted(by: \.name)
    let least: Int? = map.min(ofProperty: "count")
    let _: (Int?, Int?, Int, Int?) = (map.min(of: \.count), map.max(of: \.count), map.sum(of: \.count), map.average(of: \.count))
    _ = (least, map.object(forKey: "a" as NSString), map.value(forKey: "a"), map.value(forKeyPath: "@sum.count"))
    map.setValue(nil, forKey: "a")
    for entry in map { _ = (entry.key, entry.value) }
    for (key, value) in map.asKeyValueSequence() { _ = (key, value) }
    let _: RLMMapIterator<SingleMapEntry<String, SToy?>> = map.makeIterator()
    _ = (map.realm, map.isInvalidated, map.isFrozen, map.description, map.freeze(), map.thaw())
    map.removeAll()
    let prices = owner.prices
    let _: (Double?, Double?, Double) = (prices.min(), prices.max(), prices.sum())
    let average: Double? = prices.average()
    _ = (average, prices.sorted(), prices.sorted(ascending: false))
  }

  static func projections(_ realm: Realm, _ owner: SOwner) {
    let views = realm.objects(SOwnerView.self)
    let view = SOwnerView(projecting: owner)
    view.called = "b"
    let _: (String, Int?, ProjectedCollection<String>) = (view.called, view.years, view.toyNames)
    _ = (view.rootObject, view.realm, view.isInvalidated, view.isFrozen, view.freeze(), view.thaw(), view.description, view == view)
    let _: Results<SOwnerView> = views.sorted(by: \.called)
    let _: Results<SOwnerView> = views.sorted(byKeyPath: "name")
    let _: Results<SOwnerView> = views.distinct(by: ["name"])
    let _: Results<SOwnerView> = views.distinct(by: [\SOwnerView.called, \SOwnerView.years])
    let _: Results<SOwnerView> = views.filter("name == 'a'")
    let _: SectionedResults<String, SOwnerView> = views.sectioned(by: \.called)
    let names = view.toyNames
    names[0] = "x"
    _ = (names.count, names[0], names.index(of: "a"), names.index(matching: NSPredicate(value: true)), names.realm, names.description)
    _ = (names.isInvalidated, names.freeze(), names.thaw())
  }

  static func sections(_ results: SectionedResults<String, SToy>) {
    let _: ([String], Int) = (results.allKeys, results.count)
    let section: ResultsSection<String, SToy> = results[0]
    let _: SToy = results[IndexPath(indexes: [0, 1])]
    let _: (String, String, Int, SToy) = (section.key, section.id, section.count, section[0])
    for section in results { for toy in section { _ = toy.name } }
    _ = (results.realm, results.isInvalidated, results.isFrozen, results.freeze(), results.thaw(), results == results)
    _ = (section.realm, section.isInvalidated, section.isFrozen, section.freeze(), section.thaw(), section == section)
  }

  static func queries(_ realm: Realm, _ toy: SToy) {
    let toys = realm.objects(SToy.self)
    let owners = realm.objects(SOwner.self)
    _ = toys.where { $0.name == "a" || $0.name != "b" || $0.name > "c" || $0.name.in(["a", "b"]) || $0.owner == nil }
    _ = toys.where { !($0.count > 1) && $0.count >= 2 && $0.count < 3 && $0.count <= 4 && $0.count.contains(1..<3) && $0.count.contains(1...3) }
    _ = toys.where { $0.name.like("a*", caseInsensitive: true) || $0.name.contains("a", options: [.caseInsensitive, .diacriticInsensitive]) }
    _ = toys.where {
      $0.name.starts(with: "a") || $0.name.ends(with: "b", options: .caseInsensitive) || $0.name.equals("a") || $0.name.notEquals("b")
    }
    _ = toys.where { $0.kind == .small && $0.kindOpt == nil && $0.kind.rawValue == "large" && $0.price > 3 && $0.made < Date() }
    _ = toys.where { $0.owner.name == "x" && $0.owner.toys.count > 2 && $0.any == .int(3) && $0.any["a"] == .int(1) && $0.any.any == .none }
    _ = toys.where { $0.name == $0.owner.name }
    _ = owners.where { $0.toys.name == "x" && $0.numbers.contains(3) && $0.numbers.containsAny(in: [1, 2]) && $0.numbers.contains(1...4) }
    _ = owners.where { $0.numbers.max > 3 && $0.numbers.sum == 3 && $0.numbers.avg == 3 && $0.toys.count.max > 3 && $0.words.contains("a") }
    _ = owners.where { $0.prices["a"] > 3 && $0.prices.keys == "a" && $0.prices.values > 3 && $0.byName["a"].name == "x" }
    _ = owners.where { ($0.toys.count > 3 && $0.toys.name == "a").count > 1 }
    _ = owners.where { $0.place.geoWithin(GeoBox(bottomLeft: (0, 0), topRight: (1, 1))!) }
    _ = owners.where { $0.toys.contains(toy) }
    let (format, arguments): (String, [Any]) = Query<SToy>._constructForTesting().name.equals("a")._constructPredicate()
    _ = (format, arguments)
    let descriptor: RealmSwift.SortDescriptor = "name"
    _ = (descriptor.keyPath, descriptor.ascending, descriptor.reversed(), descriptor.description, descriptor == "count")
  }

  static func actors(_ actor: isolated SurfaceActor, _ configuration: Realm.Configuration) async throws {
    let realm = try await Realm(configuration: configuration, actor: actor)
    _ = try await Realm(actor: actor)
    _ = try await Realm(configuration: configuration, actor: actor, downloadBeforeOpen: .once)
    _ = try await Realm.open()
    _ = try await Realm.open(configuration: configuration, downloadBeforeOpen: .always)
    try await realm.asyncWrite { _ = realm.create(SToy.self) }
    let toy = try await realm.asyncWrite { realm.create(SToy.self) }
    _ = toy.name
    let _: Bool = await realm.asyncRefresh()
    await realm.asyncRefresh()
    try await mainActor(configuration)
  }
  @MainActor static func mainActor(_ configuration: Realm.Configuration) async throws {
    _ = try await Realm()
    _ = try await Realm(configuration: configuration)
    _ = try await Realm(configuration: configuration, downloadBeforeOpen: .never)
    _ = try await Realm(actor: MainActor.shared)
  }

  /// The change types are part of the surface before the methods are that deliver them.
  static func changes(
    _ collection: RealmCollectionChange<Results<SToy>>, _ map: RealmMapChange<Map<String, Double>>, _ object: ObjectChange<SToy>,
    _ sections: SectionedResultsChange<SectionedResults<String, SToy>>
  ) {
    switch collection {
    case .initial(let toys): _ = toys.count
    case .update(_, let deletions, let insertions, let modifications): _ = deletions + insertions + modifications
    case .error(let error): _ = error
    }
    switch map {
    case .initial(let map): _ = map.count
    case .update(_, let deletions, let insertions, let modifications): _ = deletions + insertions + modifications
    case .error(let error): _ = error
    }
    switch object {
    case .change(let toy, let properties): for property in properties { _ = (toy.name, property.name, property.oldValue, property.newValue) }
    case .deleted: break
    case .error(let error): _ = error.localizedDescription
    }
    switch sections {
    case .initial(let sections): _ = sections.count
    case .update(_, let deletions, let insertions, let modifications, let sectionsToInsert, let sectionsToDelete):
      _ = (deletions + insertions + modifications, sectionsToInsert, sectionsToDelete)
    }
  }

  /// Constraints and names that clients spell.
  static func names<
    Element: RealmCollectionValue, Key: _MapKey, Value: _Persistable, Fetched: RealmFetchable & ObjectBase, Sorted: KeypathSortable,
    Confined: ThreadConfined, Number: MinMaxType & AddableType & SortableType, Keyed: RealmKeyedCollection, Sections: RealmSectionedResult,
    Optionals: OptionalProtocol, Links: LinkingObjectsProtocol, Stored: _HasPersistedType, Base: RealmCollectionBase
  >(
    _: Element.Type, _: Key.Type, _: Value.Type, _: Fetched.Type, _: Sorted.Type, _: Confined.Type, _: Number.Type, _: Keyed.Type, _: Sections.Type,
    _: Optionals.Type, _: Links.Type, _: Stored.Type, _: Base.Type
  ) where Stored.PersistedType: MinMaxType, Base.ElementType == Base.Element {
    _ = Fetched.className()
    let _: (RLMIterator<Element>?, NotificationToken?, NotificationBlock?, CustomEventRepresentable?) = (nil, nil, nil, nil)
  }
}

actor SurfaceActor {}
