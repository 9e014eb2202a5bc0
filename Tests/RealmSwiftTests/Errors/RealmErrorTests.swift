import Foundation
import RealmStorage
import Testing

@testable import RealmSwift

@Test func codesMatchErrorsInCatchClauses() {
  func name(_ error: any Error) -> String {
    do { throw error } catch Realm.Error.fileNotFound { return "not found" } catch Realm.Error.fail { return "fail" } catch { return "other" }
  }
  #expect(name(Realm.Error(.fileNotFound)) == "not found")
  #expect(name(Realm.Error.callFailed) == "fail")
  #expect(name(Realm.Error(.fileExists)) == "other")
  #expect(name(CancellationError()) == "other")
}

@Test func everyCodeHasItsNumber() {
  let numbers: [Realm.Error.Code: Int] = [
    .fail: 1, .fileAccess: 2, .filePermissionDenied: 3, .fileExists: 4, .fileNotFound: 5, .fileFormatUpgradeRequired: 6,
    .incompatibleLockFile: 8, .addressSpaceExhausted: 9, .schemaMismatch: 10, .alreadyOpen: 12, .invalidInput: 13, .outOfDiskSpace: 14,
    .incompatibleSession: 15, .unsupportedFileFormatVersion: 16, .multipleSyncAgents: 17, .subscriptionFailed: 18,
    .fileOperationFailed: 19, .invalidDatabase: 20, .incompatibleHistories: 21, .noSubscriptionForWrite: 22,
  ]
  for (code, number) in numbers {
    #expect(code.rawValue == number && Realm.Error(code).errorCode == number && Realm.Error(code).code == code)
  }
}

@Test func anErrorTellsTextAndFile() {
  let error = Realm.Error(.fileNotFound, description: "no such thing", path: "/tmp/a.realm", name: "FileNotFound")
  #expect(error.localizedDescription == "no such thing" && (error as any Error).localizedDescription == "no such thing")
  #expect(error.fileURL?.path == "/tmp/a.realm" && Realm.Error.callFailed.fileURL == nil)
  #expect(error.userInfo["Error Name"] as? String == "FileNotFound" && error.userInfo["Error Code"] as? Int == 5)
  #expect(Realm.Error.callFailed.localizedDescription == "Call failed" && Realm.Error.callFailed.code == .fail)
  let bridged = error as NSError
  #expect(bridged.domain == "io.realm" && bridged.code == 5 && bridged.localizedDescription == "no such thing")
  #expect("\(error)".contains("no such thing"))
}

@Test func errorsAreEqualAsThoseOfFoundationAre() {
  #expect(Realm.Error(.fail) == Realm.Error(.fail) && Realm.Error(.fail) != Realm.Error(.fileAccess))
  #expect(Realm.Error(.fail) != Realm.Error.callFailed && Realm.Error(.fail) as NSError == NSError(domain: "io.realm", code: 1))
  #expect(Set([Realm.Error(.fail), Realm.Error(.fail), Realm.Error(.fileAccess)]).count == 2)
  #expect([Realm.Error(.fail) as NSError: 1][Realm.Error(.fail)] == 1)
}

@Test func errorsOfAnyTypeAreEqualByDomainAndCode() {
  let error: any Error = Realm.Error(.fail, description: "one")
  #expect(error == Realm.Error.callFailed && error == Realm.Error(.fail))
  #expect(error == NSError(domain: "io.realm", code: 1) && !(error == NSError(domain: "other", code: 1)))
  #expect(!(error == CancellationError()) && CancellationError() as any Error == CancellationError() as any Error)
}

@Test func theCodeIsACodeUnlessANumberIsWanted() {
  let error = Realm.Error(.fileNotFound)
  let code = error.code
  #expect(type(of: code) == Realm.Error.Code.self && code.rawValue == 5)
  let number: Int = error.code
  #expect(number == 5 && error.code == 5 && (error as NSError).code == 5 && error.code == .fileNotFound)
  switch error.code {
  case .fileNotFound: break
  case .fileAccess, .fail: Issue.record("the code is \(error.code)")
  default: Issue.record("the code is \(error.code)")
  }
  #expect([Realm.Error.Code.fail, .fileNotFound].contains(error.code))
}

@Test func theTextOfAnErrorIsThatOfFoundationOnApplePlatforms() {
  let error = Realm.Error(.fileNotFound, description: "gone", path: "/tmp/a.realm")
  #expect(
    "\(error)" == #"Error Domain=io.realm Code=5 "gone" UserInfo={Error Code=5, NSFilePath=/tmp/a.realm, NSLocalizedDescription=gone}"#)
  #expect("\(error as any Error)" == "\(error)" && String(reflecting: error) == "\(error)" && error.localizedDescription == "gone")
  #expect("\(Realm.Error(.fail))" == "Error Domain=io.realm Code=1 \"The operation couldn’t be completed. (io.realm error 1.)\"")
}

@Test func anErrorIsArchivedAsAnNSError() throws {
  let data = try NSKeyedArchiver.archivedData(withRootObject: Realm.Error(.fileExists), requiringSecureCoding: true)
  let error = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSError.self, from: data))
  #expect(error.domain == "io.realm" && error.code == 4)
}

@Test func whatTheSystemRefusedIsTheUnderlyingError() {
  let error = Realm.Error(.io(operation: "fdatasync", path: "/a", code: EIO), path: "/a")
  let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError
  #expect(cause?.domain == NSPOSIXErrorDomain && cause?.code == Int(EIO))
}
