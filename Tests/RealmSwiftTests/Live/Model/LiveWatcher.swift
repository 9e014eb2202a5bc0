import RealmStorage

@testable import RealmSwift

/// Somebody who observes something, and checks what is reported.
class LiveWatcher {
  let name: String
  var token: NotificationToken?
  /// What was observed is gone, as was reported.
  var hasEnded = false
  var initialCount = 0
  var reportCount = 0

  init(_ name: String) { self.name = name }
  deinit { token?.invalidate() }

  /// Compares what was reported since the last call with what was to be reported.
  /// - Returns: what is wrong.
  func violation(_ step: LiveStep) -> String? { nil }
}

/// An element as a test knows it.
struct LiveEntry: CustomStringConvertible, Equatable {
  /// The same for the same element before and after.
  let identity: AnyHashable
  /// Of an object.
  var place: ChangeJournal.Place?
  /// It was set in its collection.
  var isSet = false
  /// Whether it was set cannot be told.
  var mayBeSet = false
  /// Of a value.
  var text = ""

  var description: String { "\(identity)\(isSet ? "!" : "")\(text.isEmpty ? "" : "=" + text)" }

  static func objects(_ objects: some Sequence<some ObjectBase>) -> [LiveEntry] {
    objects.map { LiveEntry(identity: $0.key.rawValue, place: ChangeJournal.Place($0)) }
  }

  /// Elements of a list, which have tokens.
  static func list<Element>(_ list: List<Element>, _ tokens: [ChangeJournal.Token]) -> [LiveEntry] {
    if list.count != tokens.count { return [LiveEntry(identity: "the test has lost track: \(list.count) elements, \(tokens.count) tokens")] }
    return zip(list, tokens).map { entry($0, $1) }
  }

  /// An element without a token, which is told by its value.
  static func value(_ value: AnyRealmValue) -> LiveEntry {
    guard case .object(let object) = value else { return LiveEntry(identity: "\(value)", mayBeSet: true) }
    return LiveEntry(identity: object.key.rawValue, place: ChangeJournal.Place(object), mayBeSet: true)
  }

  static func entry(_ element: some Any, _ token: ChangeJournal.Token) -> LiveEntry {
    var entry = LiveEntry(identity: token.number, isSet: token.isSet)
    // In release builds `as ObjectBase` stops for an element that is nil (see `DynamicInput.object`).
    if let object = DynamicInput.object(element) {
      entry.place = ChangeJournal.Place(object)
      return entry
    }
    switch element {
    case .object(let object) as AnyRealmValue: entry.place = ChangeJournal.Place(object)
    case .list as AnyRealmValue, .dictionary as AnyRealmValue: break
    default: entry.text = "\(element)"
    }
    return entry
  }
}

/// Reported positions.
struct PositionReport: CustomStringConvertible {
  var deletions: [Int] = []
  var insertions: [Int] = []
  var modifications: [Int] = []

  var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
  var description: String { "deletions \(deletions), insertions \(insertions), modifications \(modifications)" }

  /// The first rule that a report breaks:
  ///  1. positions ascend and lie in range;
  ///  2. deletions and insertions make the new contents of the old ones;
  ///  3. what keeps its place among what stays is not taken out (`mayReinsert` is for collections whose log says otherwise);
  ///  4. modifications name what stays; all that counts as changed, and nothing else.
  func violation(from old: [LiveEntry], to new: [LiveEntry], _ step: LiveStep, _ keyPaths: [String]?, mayReinsert: Bool) -> String? {
    for (name, positions, limit) in [
      ("deletions", deletions, old.count), ("insertions", insertions, new.count), ("modifications", modifications, old.count),
    ] {
      if zip(positions, positions.dropFirst()).contains(where: { $0 >= $1 }) { return "\(name) do not ascend" }
      if positions.contains(where: { $0 < 0 || $0 >= limit }) { return "\(name) out of range" }
    }
    let (deleted, inserted) = (Set(deletions), Set(insertions))
    let stayed = (old.indices.filter { !deleted.contains($0) }, new.indices.filter { !inserted.contains($0) })
    let modified = Set(modifications)
    // A value that was set is another one in the same place.
    let isOther = zip(stayed.0, stayed.1).contains { before, after in
      old[before].identity != new[after].identity && !(new[after].mayBeSet && modified.contains(before))
    }
    if isOther || stayed.0.count != stayed.1.count { return "applying gives other contents" }
    if !mayReinsert, let reason = reinsertion(old, new) { return reason }
    if !modified.isDisjoint(with: deleted) { return "something is deleted and modified" }
    for (before, after) in zip(stayed.0, stayed.1) {
      var expected = new[after].place.map { step.expectation($0, keyPaths) } ?? LiveStep.Expectation()
      if new[after].isSet { expected = .always }
      if new[after].mayBeSet { expected.may = true }
      if expected.must && !modified.contains(before) { return "\(before) is changed and not reported" }
      if !expected.may && modified.contains(before) { return "\(before) is reported and not changed" }
      if old[before].text != new[after].text && !modified.contains(before) { return "\(before) has another value and is not reported" }
    }
    return nil
  }

  private func reinsertion(_ old: [LiveEntry], _ new: [LiveEntry]) -> String? {
    let (before, after) = (Set(old.map(\.identity)), Set(new.map(\.identity)))
    let isInOrder = old.map(\.identity).filter(after.contains) == new.map(\.identity).filter(before.contains)
    guard isInOrder, before.count == old.count, after.count == new.count else { return nil }
    let reinserted = Set(deletions.map { old[$0].identity }).intersection(insertions.map { new[$0].identity })
    return reinserted.isEmpty ? nil : "\(reinserted) is taken out and put in again, although nothing has moved"
  }
}
