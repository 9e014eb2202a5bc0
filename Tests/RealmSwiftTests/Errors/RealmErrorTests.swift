import Foundation
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

@Test func errorsAreEqualByDomainAndCode() {
  let error: any Error = Realm.Error(.fail, description: "one")
  #expect(error == Realm.Error.callFailed && Realm.Error(.fail) == Realm.Error.callFailed)
  #expect(error == NSError(domain: "io.realm", code: 1) && !(error == NSError(domain: "other", code: 1)))
  #expect(Realm.Error(.fail) != Realm.Error(.fileAccess))
}
