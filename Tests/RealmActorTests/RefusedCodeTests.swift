import Foundation
import TestSupport
import Testing

/// Mistakes that the compiler finds: what belongs to an actor and is used elsewhere does not get as far as running.
@Suite(.mustEnd) struct RefusedCodeTests {
  /// What all samples begin with.
  private static let beginning = """
    import RealmSwift

    class Errand: Object { @Persisted var name = "" }

    actor Office {
      var realm: Realm!
      init() async throws { realm = try await Realm(actor: self) }
      var errand: Errand? { realm.objects(Errand.self).first }
      var count: Int { realm.objects(Errand.self).count }
      func take<T>(_ value: T) {}
    }
    func needsSendable<T: Sendable>(_ type: T.Type) {}

    """

  struct Sample: CustomTestStringConvertible {
    let code: String
    let message: String
    init(_ message: String, _ code: String) { (self.message, self.code) = (message, code) }
    var testDescription: String { code }
  }

  /// What the compiler says of a program that is written as a client of the SDK would.
  private func errors(in code: String, _ options: [String] = ["-parse-as-library"]) throws -> [String] {
    let directory = TestDirectory()
    let built = URL(fileURLWithPath: PackageLocation.productDirectory)
    // The modules in C that the SDK's own are made of.
    let checkouts = built.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("checkouts/swift-crypto/Sources")
    let maps = try FileManager.default.contentsOfDirectory(atPath: checkouts.path).map { "\(checkouts.path)/\($0)/include/module.modulemap" }
      .filter { FileManager.default.fileExists(atPath: $0) }
    let source = try directory.write(Array(code.utf8), as: "main.swift")
    let arguments = ["-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-I", built.appendingPathComponent("Modules").path]
    let run = try ToolRun(path: "swiftc", arguments + options + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] } + [source])
    let lines = run.errors.split(separator: "\n").filter { $0.contains(": error: ") && !$0.hasPrefix(" ") }
    #expect(run.status == 0 || !lines.isEmpty, "\(run.errors)")
    return lines.map { String($0.split(separator: ": error: ", maxSplits: 1)[1]) }
  }

  @Test(arguments: [
    Sample("sending 'errand' risks causing data races", "@MainActor func a(_ office: Office, _ errand: Errand) async { await office.take(errand) }"),
    Sample("sending 'realm' risks causing data races", "@MainActor func a(_ office: Office, _ realm: Realm) async { await office.take(realm) }"),
    Sample("risks causing data races", "@MainActor func a(_ office: Office, _ realm: Realm) async { await office.take(realm.objects(Errand.self)) }"),
    Sample("sending 'list' risks causing data races", "@MainActor func a(_ office: Office, _ list: List<Int>) async { await office.take(list) }"),
    Sample("non-Sendable type 'Errand?'", "func a(_ office: Office) async { _ = await office.errand?.name }"),
    Sample("non-Sendable type 'Realm?'", "func a(_ office: Office) async { _ = await office.realm.isEmpty }"),
    Sample(
      "non-Sendable type 'Errand?'", "@MainActor func a(_ office: Office) async { let errand = await office.errand; print(errand?.name ?? \"\") }"),
    Sample("can not be referenced from a nonisolated context", "func a(_ office: Office) { _ = office.count }"),
    Sample("risks causing data races", "@MainActor func a(_ errand: Errand) { Task.detached { print(errand.name) } }"),
    Sample(
      "capture of 'errand' with non-Sendable type",
      """
      @MainActor func a(_ office: Office, _ errands: Results<Errand>, _ errand: Errand) async {
        _ = await errands.observe(on: office) { _, _ in print(errand.name) }
      }
      """),
    Sample(
      "mutation of captured var 'count'",
      """
      @MainActor func a(_ office: Office, _ errands: Results<Errand>) async {
        var count = 0
        _ = await errands.observe(on: office) { _, _ in count += 1 }
      }
      """),
    Sample("stored property 'errand'", "struct Values: Sendable { var errand: Errand }"),
    Sample(
      "'nil' is not compatible with expected argument type 'any Actor'", "func a(_ realm: Realm) async throws { try await realm.asyncWrite {} }"),
    Sample("'nil' is not compatible with expected argument type 'any Actor'", "func a(_ realm: Realm) async { await realm.asyncRefresh() }"),
    Sample("'nil' is not compatible with expected argument type 'any Actor'", "func a() async throws { _ = try await Realm.open() }"),
    Sample("non-Sendable 'Realm'-typed result", "func a() async throws { _ = try await Realm() }"),
    Sample("not concurrency-safe", "@globalActor actor Background { static var shared = Background() }"),
  ])
  func whatBelongsToAnotherActorIsRefused(_ sample: Sample) throws {
    let errors = try errors(in: Self.beginning + sample.code)
    #expect(!errors.isEmpty && errors.contains { $0.contains(sample.message) }, "\(errors)")
  }

  @Test(arguments: [
    "Errand", "Realm", "Results<Errand>", "List<Int>", "MutableSet<Int>", "Map<String, Int>", "LinkingObjects<Errand>", "AnyRealmCollection<Int>",
    "AnyRealmValue", "Projection<Errand>", "SectionedResults<String, Errand>", "ResultsSection<String, Errand>",
  ])
  func confinedTypesAreNotSendable(_ type: String) throws {
    let errors = try errors(in: Self.beginning + "func a() { needsSendable(\(type).self) }")
    #expect(errors.count == 1 && errors[0].contains("Sendable"), "\(errors)")
  }

  @Test func rightCodeIsNotRefused() throws {
    let code = """
      @globalActor actor Background { static let shared = Background() }
      @Background func add(_ name: String) async throws -> Int {
        let realm = try await Realm(actor: Background.shared)
        try await realm.asyncWrite { _ = realm.create(Errand.self, value: ["name": name]) }
        return realm.objects(Errand.self).count
      }
      func count(in office: isolated Office) throws -> Int {
        try office.realm.write { office.realm.create(Errand.self) }
        return office.realm.objects(Errand.self).count
      }
      @MainActor func observe(_ office: Office) async throws -> NotificationToken {
        let realm = try await Realm()
        await office.take(ThreadSafeReference(to: realm.objects(Errand.self)))
        await office.take(realm.configuration)
        return await realm.objects(Errand.self).observe(on: office) { office, change in
          if case .update(let errands, _, _, _) = change { print(errands.count, office.count) }
        }
      }
      func use() async throws {
        let office = try await Office()
        print(try await add("bread"), try await count(in: office), await office.count)
        try await observe(office).invalidate()
        needsSendable(ObjectId.self)
      }
      """
    #expect(try errors(in: Self.beginning + code) == [])
  }

  @Test(arguments: ["let age = RealmOptional<Int>()", "let age = RealmProperty<Float?>()"])
  func propertiesOfObjectiveCModelsAreAnsweredWithTheWayToWriteThem(_ property: String) throws {
    let errors = try errors(in: "import RealmSwift\nclass Old: Object { \(property) }")
    #expect(errors.count == 1 && errors[0].contains("Write '@Persisted var x: Int?'."), "\(errors)")
  }

  /// A class with a designated initialiser of its own.
  /// - Parameter initialiser: the declaration of `init()`, if there is one.
  private static func named(_ initialiser: String = "") -> String {
    """
    import RealmSwift
    class Named: Object {
      @Persisted var name: String
      init(name: String) {
        super.init()
        self.name = name
      }
      \(initialiser)
    }

    """
  }

  /// With or without `required`, as programs for the original have it; and the ways to make objects of classes that are known at run time only.
  @Test(arguments: ["override", "required override"])
  func initialisersAreOverriddenAsWithTheOriginal(_ modifiers: String) throws {
    let code = """
      class Nicknamed: Named { @Persisted var nickname: String }
      class Coded: Object, Codable {
        @Persisted var code: Int
        convenience init(code: Int) {
          self.init()
          self.code = code
        }
      }
      final class Part: EmbeddedObject {
        @Persisted var weight = 1.0
        \(modifiers) init() { super.init() }
      }
      func make<T: Object>() -> T { T() }
      func make<T: EmbeddedObject>(_ type: T.Type) -> T { type.init() }
      protocol Loaded {}
      extension Loaded where Self: Object { static func load() -> Self { Self() } }
      extension Named: Loaded {}
      func use(_ type: Object.Type) -> [Object] {
        [Named(name: "Ada"), make() as Named, Named(value: ["Ada"]), Nicknamed(), Coded(code: 1), Nicknamed.load(), type.init()]
      }
      """
    #expect(try errors(in: Self.named("\(modifiers) init() { super.init() }") + code) == [])
  }

  /// The command for it that `Documentation/Guides/from-apple-platforms.md` has.
  @Test func modelsOfObjectiveCAreRewrittenByTheCommandOfTheGuide() throws {
    let old = """
      import RealmSwift
      @objc enum Size: Int, RealmEnum { case small, large }
      public class Dog: Object {
        @objc dynamic var name = ""
        @objc public dynamic var born: Date?
        @objc dynamic internal var size = Size.small
        public let age = RealmOptional<Int>()
        let weight = RealmProperty<Double?>()
        let anything = RealmProperty<AnyRealmValue>()
        @objc dynamic var mother: Dog?
        let owners = LinkingObjects(fromType: Person.self, property: "dogs")
      }
      public class Person: Object {
        @objc dynamic private var id = 0 { didSet { changes += 1 } }
        private var changes = 0
        public let dogs = List<Dog>()
        let tags = MutableSet<String>()
        let phones = Map<String, String?>()
        public override static func primaryKey() -> String? { "id" }
      }
      """
    let use = """

      func use(_ dog: Dog, _ person: Person) -> [Any?] {
        [dog.born, dog.size == .large, dog.age.map { $0 + 1 }, dog.weight, dog.anything, dog.owners.first?.dogs.first?.mother, person.tags.count]
      }
      """
    let guide = try String(contentsOfFile: "\(PackageLocation.directory)/Documentation/Guides/from-apple-platforms.md", encoding: .utf8)
    let command = try #require(guide.components(separatedBy: "```sh\n").dropFirst().first?.components(separatedBy: "```").first)
    let directory = TestDirectory()
    try FileManager.default.createDirectory(atPath: directory.file("Models"), withIntermediateDirectories: false)
    let file = try directory.write(Array(old.utf8), as: "Models/Dog.swift")
    let run = try ToolRun(path: "sh", ["-c", "cd '\(directory.file("."))' && \(command)"])
    #expect(run.status == 0, "\(run.errors)")
    let new = try String(contentsOfFile: file, encoding: .utf8)
    #expect(try errors(in: new + use) == [], "\(new)")
  }

  /// The original's answer is a crash when the class is first used.
  @Test func aClassWithoutInitialiserForItsObjectsIsAnsweredWithTheWayToWriteIt() throws {
    let errors = try errors(in: Self.named())
    #expect(errors.count == 1 && errors[0].contains("init(_alsoOverrideInit:)"), "\(errors)")
  }

  @Test func programsMayBeginWithAnActor() throws {
    let code = """
      let office = try await Office()
      func report() async { print(await office.count) }
      await report()
      """
    #expect(try errors(in: Self.beginning + code, []) == [])
  }
}
