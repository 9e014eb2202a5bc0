import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Dates that are not a number, which Foundation cannot describe, where a text shows input.
@Suite(.mustEnd) struct UndefinedDateTests {
  private let directory = TestDirectory()
  private let undefined = Date(timeIntervalSince1970: .nan)

  private func text(_ body: () throws -> Void) -> String {
    do { try body() } catch let error as Realm.Error { return error.localizedDescription } catch { return "another error: \(error)" }
    return "nothing"
  }

  @Test func asInputOfTheWrongTypeTheyAreAnError() throws {
    let realm = try directory.objectRealm()
    realm.beginWrite()
    let tag = realm.create(OTag.self, value: [1])
    for tag in [tag, OTag()] {
      #expect(
        text { try tag.throwing.setValue(undefined, forKey: "text") } == "Invalid value 'nan' of type 'Date' for 'string' property 'OTag.text'.")
    }
    #expect(text { try tag.throwing.setValue(undefined, forKey: "id") } == "Primary key can't be changed to 'nan' after an object is inserted.")
    #expect(text { _ = try realm.throwing.object(ofType: OTag.self, forPrimaryKey: undefined) }.contains("'nan'"))
    let inside = text { try realm.throwing.create(OTag.self, value: ["text": [undefined]]) }
    #expect(
      inside == "Invalid value 'Array<Date> with a date that is not a number' of type 'Array<Date>' for 'string' property 'OTag.text'.")
    #expect(text { _ = try OTag(checking: ["number": ["a": undefined]]) }.contains("Dictionary<String, Date> with a date"))
    realm.cancelWrite()
  }

  @Test func predicatesDescribeThem() {
    #expect(NSPredicate(format: "born == %@", undefined).description == "born == %@ [nan]")
    #expect(NSPredicate(format: "born == %@ AND age == %@", undefined, 3).description == "born == %@ AND age == %@ [nan, 3]")
  }
}
