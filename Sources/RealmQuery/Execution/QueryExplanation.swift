import RealmStorage

/// How a query was answered, step by step, with what each step looked at.
package struct QueryExplanation: Sendable {
  package struct Step: Sendable {
    package let text: String
    /// Objects that the step was asked about, and those that it kept.
    package let rowsIn: Int
    package let rowsOut: Int
    /// Clusters of which it read a leaf; 0 for steps that do not go leaf by leaf.
    package let leafCount: Int
    package let nanoseconds: Int
  }
  package internal(set) var steps: [Step] = []
  package internal(set) var objectCount = 0
  package internal(set) var resultCount = 0
}
