import Testing

/// Raw memory stands where it is expected: on the floors that own it, and in the files named here. Everything else takes spans.
enum UnsafeFileRule: Rule {
  static let name = "unsafe files"

  /// Whole floors of the engine: the disk, memory, and the leaves that read it.
  static let folders = ["Sources/RealmStorage/Files", "Sources/RealmStorage/Memory", "Sources/RealmStorage/Nodes"]

  /// Module and file, with what they need it for.
  static let files: [String: String] = [
    "Compression/Compression": "hands arrays to zlib",
    "RealmStorage/ByteOrder": "compares bytes eight at a time, for spans and for the floors that hold raw memory",
    "RealmStorage/Cancellation": "asks the current task",
    "RealmStorage/Locked": "owns a mutex in builds for a sanitizer",
    "RealmStorage/SortKeys": "takes the first bytes of texts where they lie",
    "RealmStorage/ClusterBatch+SortKeys": "lends texts where they lie",
    "RealmStorage/IndexKey": "takes the first bytes of texts where they lie",
    "RealmStorage/IndexBuilder": "sorts keys in place",
    "RealmStorage/Group": "goes without the run-time check of overlapping accesses",
    "RealmStorage/Table": "goes without the run-time check of overlapping accesses",
    "RealmStorage/Table+Index": "lends texts of leaves to the index",
    "RealmStorage/RowPlace": "reads a property of an object whose leaf is known",
    "RealmStorage/OpenGeneration": "lends readers what the lock of a database guards, under another one",
    "RealmSwift/AccessCell": "owns the cell that says who may use a realm",
    "RealmSwift/AsyncWriting": "carries waits and ends of writes to the confinement of their realm",
    "RealmSwift/AsyncOpening": "carries a realm to the queue of its callback",
    "RealmSwift/ClassBinding": "owns the column keys that accessors point at",
    "RealmSwift/Confinement": "passes queues and actors on",
    "RealmSwift/CurrentExecutor": "asks the runtime what runs the calling code",
    "RealmSwift/CurrentQueue": "asks for the label of the current queue",
    "RealmSwift/CurrentRunLoop": "asks whether the thread has a run loop",
    "RealmSwift/Decimal128": "asks a number of Foundation for its type",
    "RealmSwift/DynamicInput": "asks a number of Foundation for its type",
    "RealmSwift/ElementCursor": "asks the runtime whether somebody else holds an accessor",
    "RealmSwift/HandOver": "carries what is of no realm to another thread",
    "RealmSwift/IdleRelease": "looks at a realm in its own confinement",
    "RealmSwift/KeyPathTracer": "keeps key paths, which never change",
    "RealmSwift/EmbeddedObject+Links": "steps from element to element without counting references",
    "RealmSwift/LinkStorable": "follows links without counting references",
    "RealmSwift/Object+Links": "steps from element to element without counting references",
    "RealmSwift/LoadedClasses": "reads the runtime's records of classes",
    "RealmSwift/LockRequest": "waits for the write lock on another thread",
    "RealmSwift/_NewRow": "is lent the column keys of a class",
    "RealmSwift/ObjectBase": "points at the keys of its class and the cell of its realm",
    "RealmSwift/Persisted": "reads its slot and the keys of its class",
    "RealmSwift/PersistedFields": "finds wrappers in objects by their offsets",
    "RealmSwift/PendingCommit": "carries a transaction to the thread that commits it",
    "RealmSwift/PinRecord": "asks for the time",
    "RealmSwift/Projection": "keeps key paths, which never change",
    "RealmSwift/Realm+Async": "carries a realm to its actor",
    "RealmSwift/RealmCore+Turns": "keeps realms until the end of a pool",
    "RealmSwift/RealmCore": "hands the cell to accessors",
    "RealmSwift/Realm+Error": "says again what Foundation says of its errors",
    "RealmSwift/Realm.Error+Storage": "asks the system for the text of an error",
    "RealmSwift/RealmFile": "carries realms into and out of a lock",
    "RealmSwift/NotificationToken": "lets a token be invalidated on any thread",
    "RealmSwift/ObserverRegistry": "lets an observer be taken out on any thread",
    "RealmSwift/RealmCore+Observing": "carries blocks to the queue or actor that they are called on",
    "RealmSwift/Scheduler": "runs code at a later turn of its confinement",
    "RealmSwift/SystemSymbol": "finds functions of the system by their names",
    "RealmSwift/Stop": "writes what the program has printed",
    "RealmSwift/TurnQueue": "keeps what runs at later turns of a confinement",
    "RealmSwift/SharingProbe": "reads the counts of references",
    "RealmSwift/WeakCore": "keeps the address of a realm",
    "EngineWorkloads/EngineStore": "lends names to the engine",
    "RealmInspection/ByteSink": "writes to a descriptor",
    "RealmInspection/ContentDigest": "lends bytes to a hash",
    "RealmInspection/Diagnostics": "asks the system for the text of an error",
    "RealmInspection/FieldEndScanner": "looks at eight bytes of a text at a time",
    "RealmInspection/LockHolders": "reads /proc",
    "RealmInspection/QueryValues": "asks a number of Foundation for its type",
    "RealmInspection/TextRowWriter": "lends the bytes of a field to the engine",
    "realm/QuickstartCommand": "asks whether a path is a directory",
    "realm/InputDescriptor": "reads standard input and pipes",
    "realm/KeySource": "reads the environment",
    "realm/Interruption": "asks for the action of a signal",
    "realm/LineEditor": "calls the system's line editor, which is found while the program runs",
    "realm/ShellCompletion": "asks whether a path is a directory",
    "realm/ShellHistory": "appends to a file",
    "realm/ShellInput": "reads the environment",
    "realm/FileMode": "asks for the rights of a file, and sets those that new ones get",
    "realm/OutputFile": "creates, renames and removes files",
    "RealmInspection/StandardStreams": "opens what stands for a closed stream",
    "realm/StudioCommand": "becomes another program",
    "realm/Progress": "asks for the time",
    "regnum-fuzz/Worker": "asks how much memory is used",
    "regnum-soak/Soak": "lets threads race, so that whoever looks for races finds one",
    "regnum-soak/Watch": "keeps a realm from one block of its queue to the next",
    "regnum-test-agent/AllocationCounter": "reads the trace of the allocator",
    "regnum-test-agent/CommandInput": "waits for a descriptor",
    "regnum-test-agent/CommitWaiter": "maps a lock file as another engine does",
    "regnum-test-agent/PropertyReading": "reads the bytes of a span",
    "regnum-test-agent/SignalSteps": "waits for a descriptor, counts threads",
  ]

  static func violations(in repository: Repository) -> [Violation] {
    repository.swift.filter { file in
      file.isIn("Sources") && !folders.contains { file.isIn($0) } && files["\(file.module)/\(file.baseName)"] == nil
    }
    .flatMap { file -> [Violation] in
      guard let token = unsafeToken(in: file) else { return [] }
      let message = "\(token.text) in a file that is not to know raw memory: use a span, move it to an owner, or name the file in UnsafeFileRule"
      return [Violation(path: file.path, line: token.line, message: message)]
    }
  }

  /// The first word of a file that says that it knows raw memory, or promises what the compiler cannot check.
  static func unsafeToken(in file: SourceFile) -> Token? {
    let tokens = file.tokens
    return tokens.indices.first { place in
      guard tokens[place].kind == .word else { return false }
      let name = tokens[place].text
      if name == "unchecked" { return place > 0 && tokens[place - 1].isSymbol("@") }
      return tokens[place].isWord("unsafe") || name.hasPrefix("Unsafe") || name.hasPrefix("withUnsafe") || name == "unsafeBitCast"
        || name == "OpaquePointer"
        || name == "Unmanaged" || name == "assumingMemoryBound"
    }
    .map { tokens[$0] }
  }
}

/// The list of `UnsafeFileRule` names only files that need to be there.
enum UnsafeListRule: Rule {
  static let name = "unsafe list"

  static func violations(in repository: Repository) -> [Violation] {
    let needed = Set(repository.swift.filter { UnsafeFileRule.unsafeToken(in: $0) != nil }.map { "\($0.module)/\($0.baseName)" })
    return UnsafeFileRule.files.keys.sorted().filter { !needed.contains($0) }
      .map { Violation(path: "Sources/\($0).swift", line: 1, message: "has no raw memory, or another name: take it off the list in UnsafeFileRule") }
  }
}

@Suite struct UnsafeFileRuleTests {
  @Test(arguments: [
    "let a: UnsafeRawPointer", "let a = unsafe b()", "f(withUnsafeBytes)", "final class A: @unchecked Sendable {}", "nonisolated(unsafe) var a = 1",
  ])
  func rawMemoryElsewhereIsFound(_ text: String) {
    #expect(UnsafeFileRule.violations(in: Repository(swift: ["Sources/RealmQuery/A.swift": text])).count == 1)
  }

  @Test func aNameThatSpellsTheKeywordIsNot() {
    #expect(UnsafeFileRule.violations(in: Repository(swift: ["Sources/A/A.swift": "options.durability = .unsafe; a(unchecked: 1)"])).isEmpty)
  }

  @Test func rawMemoryOnTheFloorsThatOwnItIsNot() {
    #expect(UnsafeFileRule.violations(in: Repository(swift: ["Sources/RealmStorage/Nodes/A.swift": "let a: UnsafeRawPointer"])).isEmpty)
  }

  @Test func aFileThatIsNamedForNothingIsFound() {
    let sample = Repository(swift: ["Sources/EngineWorkloads/EngineStore.swift": "let a = unsafe b()", "Sources/realm/Progress.swift": "let a = b()"])
    let found = UnsafeListRule.violations(in: sample).map(\.path)
    #expect(found.contains("Sources/realm/Progress.swift"))
    #expect(!found.contains("Sources/EngineWorkloads/EngineStore.swift"))
  }
}
