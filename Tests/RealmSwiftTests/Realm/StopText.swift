import Foundation
import RealmSwift
import TestSupport
import Testing

extension ExitTest.Result {
  /// Whether the process ended with a text of the SDK. Observe `\.standardErrorContent`.
  func stopped(with text: String) -> Bool { standardError.contains("Fatal error: " + text + "\n") }
  /// Whether the process ended because something was used where it does not belong.
  func stoppedOnAWrongThread() -> Bool { standardError.contains("Fatal error: Realm accessed from incorrect thread. It is confined to ") }
  var standardError: String { String(decoding: standardErrorContent, as: UTF8.self) }
}

extension TestDirectory {
  /// For processes that end before they could clean up: below the directory of the test that starts them.
  static func configuration(in path: String, _ types: [ObjectBase.Type]? = [Dog.self, Person.self, Address.self]) -> Realm.Configuration {
    Realm.Configuration(fileURL: URL(fileURLWithPath: path).appendingPathComponent("test.realm"), objectTypes: types)
  }
}
