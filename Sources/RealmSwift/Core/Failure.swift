/// What keeps an operation of the SDK from being done: a code and a text that users see.
///
/// Inside the module every fallible operation throws this. Public API that can throw makes it a `Realm.Error`; API that cannot hands it
/// to `stop`.
struct RealmFailure: Error, Equatable {
  var code: Realm.Error.Code
  var text: String
  /// The file that the failure is about, if it is about one.
  var path: String?
  /// The engine's name of the error.
  var name: String?

  init(_ code: Realm.Error.Code = .fail, _ text: String, path: String? = nil, name: String? = nil) {
    self.code = code
    self.text = text
    self.path = path
    self.name = name
  }

  /// Misuse of the API: the code is of no interest.
  static func misuse(_ text: String) -> RealmFailure { RealmFailure(.fail, text) }
}

/// Runs what a non-throwing member of the API does.
@inline(__always) func orStop<Result>(_ body: () throws(RealmFailure) -> Result) -> Result {
  do throws(RealmFailure) { return try body() } catch { stop(error.text) }
}

extension Realm.Error {
  init(_ failure: RealmFailure) {
    self.init(failure.code, description: failure.text, path: failure.path, name: failure.name)
  }
}
