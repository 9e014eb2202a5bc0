/// Why a changeset cannot be applied to a realm, and which instruction it is.
package struct ApplicationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package enum Reason: String, Error, Sendable, CaseIterable {
    case missingClass = "names a class that is not there"
    case differentClass = "defines a class that is there in another way"
    case linkedClass = "removes a class that a property leads to"
    case missingProperty = "names a property that is not there"
    case differentProperty = "defines a property that is there in another way"
    case keyProperty = "removes the property that objects are found by"
    case missingObject = "names an object that is not there"
    case wrongType = "has a value of a type that the property does not hold"
    case wrongPath = "has a path that leads nowhere"
    case wrongIndex = "has an index beyond the list"
    case wrongSize = "expects a list of another size"
    case moveToSamePlace = "moves an element to where it is"
    case embeddedClass = "addresses an object of an embedded class"
  }

  package let reason: Reason
  /// Counted from 0.
  package let instruction: Int

  /// What is wrong with which instruction.
  package init(reason: Reason, instruction: Int) { (self.reason, self.instruction) = (reason, instruction) }

  /// For people.
  package var description: String { "instruction \(instruction) \(reason.rawValue)" }
}
