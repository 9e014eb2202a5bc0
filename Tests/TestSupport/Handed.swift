/// What a test hands from one thread, queue or actor to another, or takes where it does not belong to see that it is refused there.
// SAFETY: the tests order every write before the reads elsewhere, by signals, by awaiting, or by using the value in one place only.
package final class Handed<Value>: @unchecked Sendable {
  package var value: Value?
  package init(_ value: Value? = nil) { self.value = value }
}
