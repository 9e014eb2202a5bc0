import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// The text of the failure of something that must fail; nil if it does not.
func failureText(_ body: () throws -> Void) -> String? {
  do { try body() } catch { return ErrorBorder.text(of: error, path: nil) }
  return nil
}

extension Realm {
  /// Why an object cannot be created from a value.
  func creationFailure(_ type: ObjectBase.Type, _ value: Any, _ policy: UpdatePolicy = .error) -> String? {
    beginWrite()
    defer { cancelWrite() }
    return failureText { _ = try core.create(core.binding(of: type), from: value, policy: policy) }
  }
}

extension ObjectBase {
  func settingFailure(_ name: String, _ value: Any?) -> String? { failureText { try setDynamicValue(name, value) } }
}

/// One misuse of the API that has to stop the process with a text.
struct Misuse: Sendable, CustomTestStringConvertible {
  let text: String
  let run: @Sendable (Realm) throws -> Void
  init(_ text: String, _ run: @escaping @Sendable (Realm) throws -> Void) { (self.text, self.run) = (text, run) }
  var testDescription: String { text }

  func perform() throws {
    let directory = TestDirectory()
    try run(directory.objectRealm())
    withExtendedLifetime(directory) {}
  }
}
