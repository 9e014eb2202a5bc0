import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import RealmSwift

private func errors(_ result: ExitTest.Result?) -> String { String(result?.standardError.prefix(400) ?? "") }

/// Other tests of what ends the process do without.
private func looksForLines() { unsetenv("REALM_CALLER_LINES") }

/// A transaction has ended: everything that changes a value stops.
private func holder(_ realm: Realm) throws -> OHolder {
  try realm.write { realm.create(OHolder.self, value: ["id": 1, "ints": [1, 2], "intSet": [1], "intMap": ["a": 1]] as [String: Any]) }
}

private let setterLine = #line + 4
extension OHolder {
  fileprivate var shownName: String? {
    get { name }
    set { name = newValue }
  }
}

private func changeInPlace() throws {
  looksForLines()
  let holder = try holder(try TestDirectory().objectRealm())
  holder.ints[0] += 1
}

private let suspendedLine = #line + 7
@MainActor private func changeAfterASuspension() async throws {
  looksForLines()
  let directory = TestDirectory()
  let realm = try await Realm(configuration: directory.objectRealm().configuration)
  let holder = try holder(realm)
  await Task.yield()
  holder.name = "x"
}

/// Misuse of members that no caller can tell its line, each with the line that it stands on.
private let misuses: [(line: Int, stop: @Sendable (Realm) throws -> Void)] = [
  (#line, { try holder($0).name = "x" }),
  (#line, { try holder($0).ints[0] = 7 }),
  (#line, { _ = try holder($0).ints[7] }),
  (#line, { _ = $0.objects(OHolder.self)[0] }),
  (#line, { try holder($0).intMap["a"] = 7 }),
  (#line, { try holder($0)["name"] = "x" }),
  (#line, { try holder($0).setValue("x", forKey: "name") }),
  (#line, { _ = try holder($0).value(forKey: "nope") }),
  (#line, { try holder($0).ints.remove(at: 0) }),
  (#line, { try holder($0).ints.swapAt(0, 1) }),
  (#line, { try holder($0).intSet.remove(1) }),
  (#line, { try holder($0).ints.forEach { [realm = $0] _ in realm.objects(OHolder.self).first?.name = "x" } }),
  (#line, { for holder in [try holder($0)] { holder.ints.map { $0 }.forEach { _ in holder.name = "x" } } }),
  (#line, { $0.deleteAll() }),
  (#line, { _ = ($0.beginWrite(), $0.beginWrite()) }),
  (#line, { _ in _ = OHolder().observe { _ in } }),
  (#line, { _ in _ = ObjectId("nothing") }),
]

/// Whom texts name that end the process, beside the line of the library.
@Suite(.mustEnd) struct CallerLineTests {
  @Test(.endsProcesses, arguments: misuses.indices) func theTextNamesTheLineOfACallerThatNobodyTold(_ index: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
      looksForLines()
      try misuses[index].stop(try TestDirectory().objectRealm())
    }
    #expect(errors(result).contains("Fatal error: Called at \(#filePath):\(misuses[index].line)\n"), "\(errors(result))")
  }

  @Test(.endsProcesses) func whatAPropertyOfTheProgramItselfDoesIsNamed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      looksForLines()
      try holder(try TestDirectory().objectRealm()).shownName = "x"
    }
    #expect(errors(result).contains("Fatal error: Called at \(#filePath):\(setterLine)\n"), "\(errors(result))")
  }

  @Test(.endsProcesses) func changesInPlaceNameTheFunction() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { try changeInPlace() }
    #expect(errors(result).contains("Fatal error: Called at \(#filePath), in changeInPlace()\n"), "\(errors(result))")
  }

  @Test(.endsProcesses) func tasksAreNamedAfterASuspension() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { try await changeAfterASuspension() }
    #expect(errors(result).contains("Fatal error: Called at \(#filePath):\(suspendedLine)\n"), "\(errors(result))")
  }

  @Test(.endsProcesses) func theEnvironmentCanLeaveItOut() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { _ = ObjectId("nothing") }
    #expect(result?.standardError.contains("Fatal error: Invalid Object ID") == true)
    #expect(result?.standardError.contains("Called at") == false)
  }

  /// What the disk is to blame for is said without a look at frames, for which there may be no memory.
  @Test(.endsProcesses) func damageIsToldWithoutTheCaller() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      looksForLines()
      stop(StorageError.io(operation: "read", path: "/file", code: EIO), nil, nil)
    }
    #expect(result?.standardError.contains("Fatal error: ") == true)
    #expect(result?.standardError.contains("Called at") == false)
  }
}
