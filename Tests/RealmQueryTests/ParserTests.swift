import RealmStorage
import Testing

@testable import RealmQuery

@Suite struct ParserTests {
  @Test func `chains of conditions stay flat`() {
    let one = Condition.compare(.path("age"), .greater, .value(.int(3)))
    guard case .and(let parts) = one && one && one && (one && one) else { return #expect(Bool(false)) }
    #expect(parts.count == 5)
  }
}
