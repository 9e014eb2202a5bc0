/// What keeps an operation of the SDK from being done, where the SDK itself is the one to say so: a code and a text that users see.
///
/// Errors of the engine and of queries pass through the SDK as they are; `ErrorBorder.swift` puts them into words.
struct RealmFailure: Error, Equatable {
  var code: Realm.Error.Code
  var text: String
  /// The file that the failure is about, if it is about one.
  var path: String?
  /// The engine's name of the error.
  var name: String?
  /// The `errno` of what the operating system refused.
  var systemCode: Int32?

  init(_ code: Realm.Error.Code = .fail, _ text: String, path: String? = nil, name: String? = nil, systemCode: Int32? = nil) {
    self.code = code
    self.text = text
    self.path = path
    self.name = name
    self.systemCode = systemCode
  }

  /// Misuse of the API: the code is of no interest.
  static func misuse(_ text: String) -> RealmFailure { RealmFailure(.fail, text) }
  /// Something that a realm cannot do in its present state.
  static func transaction(_ text: String) -> RealmFailure { RealmFailure(.fail, text, name: "WrongTransactionState") }
}
