import RealmStorage
import TestSupport
import Testing

@testable import RealmSwift

@Test func propertyTypesHaveTheNumbersOfOtherSDKs() {
  let types: [PropertyType] = [
    .int, .bool, .string, .data, .date, .float, .double, .object, .linkingObjects, .any, .objectId, .decimal128, .UUID,
  ]
  #expect(types.map(\.rawValue) == Array(0...12))
  #expect(
    types.map(\.nameInErrors).joined(separator: ",")
      == "int,bool,string,data,date,float,double,object,linking objects,mixed,object id,decimal128,uuid")
}

@Test func updatePoliciesHaveTheirNumbers() {
  #expect([Realm.UpdatePolicy.error, .all, .modified].map(\.rawValue) == [1, 2, 3])
}

@Test func sortDescriptorsReverseAndPrint() {
  let descriptor: RealmSwift.SortDescriptor = "dog.name"
  #expect(descriptor == SortDescriptor(keyPath: "dog.name") && descriptor.ascending)
  #expect(descriptor.reversed() == SortDescriptor(keyPath: "dog.name", ascending: false))
  #expect(descriptor.reversed().reversed() == descriptor)
  #expect("\(descriptor)" == "SortDescriptor(keyPath: dog.name, direction: ascending)")
  #expect("\(descriptor.reversed())" == "SortDescriptor(keyPath: dog.name, direction: descending)")
}

@Test func anAutoreleasePoolRunsItsBlock() throws {
  struct Failure: Error {}
  #expect(autoreleasepool { 5 } == 5)
  #expect(throws: Failure.self) { try autoreleasepool { throw Failure() } }
}

@Test func aLoggerPassesWhatItsLevelAllows() {
  let seen = Locked<[String]>([])
  let logger = Logger(level: .warn) { level, message in seen.withLock { $0.append("\(level) \(message)") } }
  func logEverything() -> [String] {
    seen.withLock { $0 = [] }
    for number: UInt in 0...8 {
      let level = LogLevel(rawValue: number)!
      #expect(logger.isEnabled(level) == (level != .off && level.rawValue <= logger.level.rawValue))
      logger.log(level, .file, "x")
    }
    return seen.withLock { $0 }
  }
  #expect(logEverything() == ["fatal x", "error x", "warn x"])
  logger.level = .off
  #expect(logEverything() == [])
  logger.level = .all
  #expect(logEverything().count == 8)
}

@Test func theSharedLoggerCanBeReplaced() {
  let original = Logger.shared
  defer { Logger.shared = original }
  #expect(original.level == .info)
  let replacement = Logger(level: .trace) { _, _ in }
  Logger.shared = replacement
  #expect(Logger.shared.level == .trace)
  Logger.shared.level = .error
  #expect(replacement.level == .error)
}

@Test(.mustEnd, .endsProcesses) func theDefaultLoggerPrintsToStandardError() async {
  let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
    Logger.shared.log(.warn, .realm, "seen")
    Logger.shared.log(.debug, .realm, "hidden")
  }
  #expect(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self) == "Warning: seen\n")
}
