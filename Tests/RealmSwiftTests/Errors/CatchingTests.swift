import Foundation
import RealmSwift
import Testing

// Every way in which programs catch what this library throws. A cast to `NSError` always succeeds for the compiler; on Linux it ends the process
// unless the error is one.

private func fail(_ code: Realm.Error.Code) throws {
  throw Realm.Error(code, userInfo: [NSLocalizedDescriptionKey: "text"])
}

@Suite struct CatchingTests {
  @Test func asNSErrorInAFunctionThatDoesNotThrow() {
    func caught() -> NSError? {
      do { try fail(.fileNotFound) } catch let error as NSError { return error }
      return nil
    }
    let error = caught()
    #expect(error?.domain == "io.realm" && error?.code == 5 && error?.localizedDescription == "text")
  }

  @Test func asNSErrorInAFunctionThatThrows() throws {
    func caught() throws -> Int {
      do { try fail(.fail) } catch let error as NSError where error.code == 99 { return 99 }
      return 0
    }
    do { _ = try caught() } catch let error as NSError { #expect(error.code == Realm.Error.fail.rawValue) }
  }

  @Test func asRealmErrorWithACondition() {
    do { try fail(.fileNotFound) } catch let error as Realm.Error where error.code == .fileAccess {
      Issue.record("\(error)")
    } catch let error as Realm.Error where error.code == .fileNotFound {
      #expect(error.localizedDescription == "text")
    } catch { Issue.record("\(error)") }
  }

  @Test func byItsCode() {
    do { try fail(.fileAccess) } catch Realm.Error.fail { Issue.record("another code") } catch Realm.Error.fileAccess {
    } catch { Issue.record("\(error)") }
    do { try fail(.fileAccess) } catch Realm.Error.fail, Realm.Error.fileAccess {} catch { Issue.record("\(error)") }
  }

  @Test func byItsCodeBesideNSError() {
    do { try fail(.fileAccess) } catch Realm.Error.fail { Issue.record("another code") } catch let error as NSError { #expect(error.code == 2) }
  }

  @Test func bySwitching() {
    do { try fail(.fileAccess) } catch {
      switch error {
      case Realm.Error.fail: Issue.record("another code")
      case let error as NSError where error.domain == "io.realm" && error.code == 2: break
      default: Issue.record("\(error)")
      }
      switch error {
      case let error as Realm.Error:
        switch error.code {
        case .fileAccess: break
        default: Issue.record("\(error)")
        }
      default: Issue.record("\(error)")
      }
    }
  }

  @Test func byCasts() throws {
    let error = try #require(throws: (any Error).self) { try fail(.fileExists) }
    #expect(error is Realm.Error && (error as? Realm.Error)?.code == .fileExists && (error as! Realm.Error).code == .fileExists)
    #expect((error as NSError).code == 4 && (error as NSError) === (error as? Realm.Error) && !(error is CancellationError))
    #expect((error as? any CustomNSError)?.errorCode == 4 && (error as? any LocalizedError)?.errorDescription == "text")
    #expect(error as NSError is Realm.Error && (error as NSError as? Realm.Error)?.code == .fileExists)
    #expect(error.localizedDescription == "text" && error._domain == "io.realm" && error._code == 4)
    #expect((error as Any) is NSError && (error as AnyObject) is NSError)
  }

  @Test func byRethrowing() {
    func passOn() throws { do { try fail(.fail) } catch { throw error } }
    func passOnCaught() throws { do { try passOn() } catch let error as NSError { throw error } }
    func passOnCode() throws { do { try passOnCaught() } catch Realm.Error.fileAccess { Issue.record("another code") } }
    do { try passOnCode() } catch let error as NSError { #expect(error.code == 1) }
    do { try [1].forEach { _ in try fail(.fail) } } catch let error as NSError { #expect(error.code == 1) }
  }

  @Test func fromAResult() {
    let result = Result { try fail(.fail) }
    if case .failure(let error) = result { #expect((error as NSError).code == 1) }
    switch result {
    case .failure(Realm.Error.fail): break
    default: Issue.record("\(result)")
    }
    if case .failure(let error) = result.mapError({ $0 as NSError }) { #expect(error.code == 1) }
    do { try result.get() } catch let error as NSError { #expect(error.code == 1) }
    #expect((try? fail(.fail)) == nil)
  }

  @Test func fromTasks() async {
    do { try await Task { try fail(.fail) }.value } catch let error as NSError { #expect(error.code == 1) }
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try fail(.fileAccess) }
        try await group.waitForAll()
      }
    } catch let error as Realm.Error where error.code == .fileAccess {} catch { Issue.record("\(error)") }
    do {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        continuation.resume(with: Result { try fail(.fail) })
      }
    } catch let error as NSError { #expect(error.code == 1) }
  }

  @Test func withTheExpectationsOfTests() {
    #expect(throws: Realm.Error.self) { try fail(.fail) }
    #expect(throws: Realm.Error(.fail)) { throw Realm.Error(.fail) }
    #expect { try fail(.fail) } throws: { ($0 as NSError).code == 1 }
  }
}
