import Foundation
import Testing

@testable import RealmSwift

@Suite struct QuerySchemaTests {
  @Test func theModelsOfTheseTestsAreValid() throws {
    for type in queryTypes { _ = try ModelClass.of(type) }
  }
}
