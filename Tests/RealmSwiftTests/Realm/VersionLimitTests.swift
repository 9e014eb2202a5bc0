import Dispatch
import Foundation
import RealmSwift
import TestSupport
import Testing

/// `maximumNumberOfActiveVersions`.
@Suite(.mustEnd) struct VersionLimitTests {
  let directory = TestDirectory()

  private func configuration(limit: UInt) -> Realm.Configuration {
    var configuration = directory.configuration([Extra.self])
    configuration.maximumNumberOfActiveVersions = limit
    return configuration
  }

  @Test func oneIsEnoughWhereNobodyHoldsAnything() throws {
    let realm = try Realm(configuration: configuration(limit: 1))
    for _ in 0..<5 { try realm.write { realm.add(Extra()) } }
    #expect(realm.objects(Extra.self).count == 5)
  }

  @MainActor @Test func oneIsEnoughForAsynchronousWrites() async throws {
    let realm = try await Realm(configuration: configuration(limit: 1))
    for _ in 0..<5 { try await realm.asyncWrite { realm.add(Extra()) } }
    await withCheckedContinuation { continuation in
      realm.writeAsync {
        realm.add(Extra())
      } onComplete: { _ in
        continuation.resume()
      }
    }
    #expect(realm.objects(Extra.self).count == 6)
  }

  @Test func versionsThatAreGivenUpNoLongerCount() throws {
    let realm = try Realm(configuration: configuration(limit: 3))
    var frozen: [Realm] = []
    for _ in 0..<2 {
      try realm.write { realm.add(Extra()) }
      frozen.append(realm.freeze())
    }
    #expect(frozen.count == 2)
    frozen = []
    try realm.write { realm.add(Extra()) }
    try realm.write { realm.add(Extra()) }
    #expect(realm.objects(Extra.self).count == 4)
  }

  @Test(.endsProcesses, arguments: ["write", "beginWrite", "asyncWrite", "writeAsync"]) func everyKindOfWriteStopsAlike(_ kind: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [
        path = directory.path as String, kind = kind as String
      ] in
      try await exceed(path, kind)
    }
    #expect(
      result?.stopped(with: "Number of active versions (3) in the Realm exceeded the limit of 2") == true,
      "\(result?.standardError.suffix(300) ?? "")")
  }
}

@MainActor private func exceed(_ path: String, _ kind: String) async throws {
  var configuration = TestDirectory.configuration(in: path, [Extra.self])
  configuration.maximumNumberOfActiveVersions = 2
  let realm = try await Realm(configuration: configuration)
  realm.refresh()
  let frozen = realm.freeze()
  for _ in 0..<6 {
    switch kind {
    case "write": try realm.write { realm.add(Extra()) }
    case "beginWrite":
      realm.beginWrite()
      try realm.commitWrite()
    case "asyncWrite": try await realm.asyncWrite { realm.add(Extra()) }
    default:
      await withCheckedContinuation { continuation in
        realm.writeAsync {
          realm.add(Extra())
        } onComplete: { _ in
          continuation.resume()
        }
      }
    }
  }
  withExtendedLifetime(frozen) {}
}
