import Foundation
import RealmSwift
import Testing

private func fail(_ code: Realm.Error.Code) throws(Realm.Error) { throw Realm.Error(code) }
private func failGenerically<E: Error>(_ error: E) throws(E) { throw error }

/// The same with typed throws.
@Suite struct TypedCatchingTests {
  @Test func theErrorHasItsType() {
    do { try fail(.fail) } catch { #expect(error.code == .fail && error.fileURL == nil) }
    do { try fail(.fail) } catch  where error.code == .fileAccess { Issue.record("another code") } catch { #expect(error.code == .fail) }
    do { try failGenerically(Realm.Error(.fail)) } catch { #expect(error.code == .fail) }
  }

  @Test func asNSError() {
    do throws(Realm.Error) { try fail(.fail) } catch let error as NSError { #expect(error.code == 1) }
    do { try fail(.fail) } catch let error as NSError { #expect(error.code == 1) }
    let result: Result<Int, Realm.Error> = .failure(Realm.Error(.fail))
    do { _ = try result.get() } catch let error as NSError { #expect(error.code == 1) }
  }

  @Test func passedOn() {
    func passOn() throws(Realm.Error) { do { try fail(.fail) } catch { throw error } }
    func narrow() throws(Realm.Error) {
      do { try passOn() as Void } catch let error as NSError where error.code == 1 { throw error as! Realm.Error }
    }
    do { try narrow() } catch Realm.Error.fail {} catch { Issue.record("\(error)") }
  }
}
