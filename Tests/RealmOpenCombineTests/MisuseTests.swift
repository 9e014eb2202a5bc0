import Dispatch
import OpenCombine
import OpenCombineDispatch
import RealmOpenCombine
import RealmSwift
import TestSupport
import Testing

/// What cannot be published stops with the SDK's texts.
@Suite(.mustEnd) struct MisuseTests {
  let directory = TestDirectory()

  private func stops(_ result: ExitTest.Result?, _ text: String) -> Bool {
    guard let result else { return false }
    return String(decoding: result.standardErrorContent, as: UTF8.self).contains("Fatal error: " + text + "\n")
  }

  @Test(.endsProcesses) func unmanagedThingsCannotBePublished() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { _ = valuePublisher(Walk()) }
    #expect(stops(result, "Only managed objects can be published"))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { _ = changesetPublisher(Walk()) }
    #expect(stops(result, "Only managed objects can be published"))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { _ = Walk().stops.changesetPublisher }
    #expect(stops(result, "Only managed collections can be published"))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { _ = Walk().ratings.changesetPublisher }
    #expect(stops(result, "Only managed collections can be published"))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { _ = Walk().objectWillChange.sink {} }
    #expect(stops(result, "Only objects which are managed by a Realm support change notifications"))
  }

  @Test(.endsProcesses) func whatIsGoneCannotBePublished() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      let realm = try await Realm(configuration: TestDirectory.configuration(in: path))
      let walk = try realm.write { realm.create(Walk.self) }
      try realm.write { realm.delete(walk) }
      _ = changesetPublisher(walk)
    }
    #expect(result != nil && String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains("published"))
  }

  @Test(.endsProcesses) func onlyQueuesCanBeSubscribedOn() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      let realm = try await Realm(configuration: TestDirectory.configuration(in: path))
      _ = realm.objects(Walk.self).changesetPublisher.subscribe(on: ImmediateScheduler.shared)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Cannot subscribe on scheduler") && text.contains("only serial dispatch queues are currently implemented."))
  }

  @Test(.endsProcesses) func frozenThingsCannotBeSubscribedTo() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      let realm = try await Realm(configuration: TestDirectory.configuration(in: path))
      _ = realm.objects(Walk.self).freeze().collectionPublisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    }
    #expect(stops(result, "Frozen Realms do not change and do not have change notifications."))
  }
}
