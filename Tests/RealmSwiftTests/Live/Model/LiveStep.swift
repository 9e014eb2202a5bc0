@testable import RealmSwift

/// What has happened between two reports, and which objects count as changed by it: found by following links forwards from each object.
final class LiveStep {
  typealias Place = ChangeJournal.Place
  /// Whether something has to be reported, and whether it may be.
  struct Expectation {
    var must = false
    var may = false
    static let always = Expectation(must: true, may: true)
    static func || (a: Expectation, b: Expectation) -> Expectation { Expectation(must: a.must || b.must, may: a.may || b.may) }
  }

  let before: LiveGraph
  let after: LiveGraph
  let journal: ChangeJournal
  /// All commits were made through the observing realm.
  let isOwn: Bool
  /// How many links away a change counts.
  private static let linkCount = 3
  private lazy var changed = reach(withNested: false)
  private lazy var perhapsChanged = reach(withNested: true)

  init(from before: LiveGraph, to after: LiveGraph, _ journal: ChangeJournal, isOwn: Bool) {
    (self.before, self.after, self.journal, self.isOwn) = (before, after, journal, isOwn)
  }

  /// The properties of an object that were touched, if it is not new.
  func touched(_ place: Place) -> Set<String> {
    before.links[place] != nil && after.links[place] != nil ? journal.touched[place] ?? [] : []
  }

  /// All that was touched, for messages.
  var touchedText: String {
    journal.touched.map { place, names in
      let existence = before.links[place] == nil ? " new" : after.links[place] == nil ? " gone" : ""
      return "\(place.isPart ? "part " : "")\(place.key.rawValue)\(existence): \(names.sorted().joined(separator: " "))"
    }.sorted().joined(separator: ", ")
  }

  private func reach(withNested: Bool) -> Set<Place> {
    var reached = Set(after.links.keys.filter { !touched($0).isEmpty })
    if reached.isEmpty { return [] }
    for _ in 0..<Self.linkCount {
      reached.formUnion(
        after.links.keys.filter { place in
          after.targets(place).contains(where: reached.contains) || withNested && (after.nestedLinks[place] ?? []).contains(where: reached.contains)
        })
    }
    return reached
  }

  /// - Parameter keyPaths: nil for everything within the usual distance.
  func expectation(_ place: Place, _ keyPaths: [String]?) -> Expectation {
    guard let keyPaths else { return Expectation(must: changed.contains(place), may: perhapsChanged.contains(place)) }
    return keyPaths.reduce(Expectation()) { $0 || expectation(place, along: $1.split(separator: ".").map(String.init)[...]) }
  }

  private static let allNames = [
    "id", "number", "text", "any", "link", "list", "set", "map", "numbers", "texts", "counts", "values", "bag", "part", "parts", "partMap",
    "linkers", "listers",
  ]

  private func expectation(_ place: Place, along names: ArraySlice<String>) -> Expectation {
    guard let name = names.first else { return Expectation() }
    if name == "*" {
      let all = place.isPart ? ["value", "link"] : Self.allNames
      return all.reduce(Expectation()) { $0 || expectation(place, along: [$1] + names.dropFirst()) }
    }
    var found = name == "linkers" ? relinked(place, name, "link") : name == "listers" ? relinked(place, name, "list") : Expectation()
    if touched(place).contains(name) { found = .always }
    // What is held by `AnyRealmValue` has no class that a name could lead into.
    if names.count == 1 || ["any", "values", "bag"].contains(name) { return found }
    for target in after.links[place]?[name] ?? [] { found = found || expectation(target, along: names.dropFirst()) }
    return found
  }

  /// Whether an object links to one that did not before, or has set such a link again. Who does not link any more is not missed.
  private func relinked(_ place: Place, _ backlinks: String, _ property: String) -> Expectation {
    let (old, new) = (before.links[place]?[backlinks] ?? [], after.links[place]?[backlinks] ?? [])
    let isSetAgain = (old + new).contains { journal.touched[$0]?.contains(property) == true || after.links[$0] == nil || before.links[$0] == nil }
    return Expectation(must: !Set(new).subtracting(old).isEmpty, may: isSetAgain)
  }
}
