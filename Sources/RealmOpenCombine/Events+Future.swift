public import OpenCombine
public import RealmSwift

extension Events {
  /// Records an event of the app's own. Nothing can be asked: there are no events without sync.
  @_disfavoredOverload public func recordEvent(activity: String, eventType: String? = nil, data: String? = nil) -> Future<Void, any Error> {
    Future { promise in
      recordEvent(activity: activity, eventType: eventType, data: data) { error in promise(error.map { .failure($0) } ?? .success(())) }
    }
  }
}

extension Events.Scope {
  /// Ends the scope and keeps its events. Nothing can be asked: there are no events without sync.
  @_disfavoredOverload public func commit() -> Future<Void, any Error> {
    Future { promise in self.commit { error in promise(error.map { .failure($0) } ?? .success(())) } }
  }
}
