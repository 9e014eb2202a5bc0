import RealmStorage

@testable import RealmSwift

/// What random writes have touched since observers were told last, written down by whoever writes: nothing here comes from the change log.
struct ChangeJournal {
  /// An object.
  struct Place: Hashable {
    let isPart: Bool
    let key: ObjectKey
    init(_ object: ObjectBase) { (isPart, key) = (object is LivePart, object.key) }
  }

  /// An element of a collection. It stays itself when it is moved or set.
  struct Token: Equatable {
    let number: Int
    var isSet = false
  }

  private struct Holder: Hashable {
    let place: Place
    let property: String
  }

  /// The properties that were set, or whose contents were changed.
  private(set) var touched: [Place: Set<String>] = [:]
  /// Whose property `any` was assigned.
  private(set) var replaced: Set<Place> = []
  private var lists: [Holder: [Token]] = [:]
  private var entries: [Holder: [String: Token]] = [:]
  private var lastNumber = 0

  mutating func touch(_ object: ObjectBase, _ property: String) { touched[Place(object), default: []].insert(property) }

  /// Observers have been told.
  mutating func forget() {
    (touched, replaced) = ([:], [])
    for (holder, tokens) in lists where tokens.contains(where: \.isSet) { lists[holder] = tokens.map { Token(number: $0.number) } }
    for (holder, tokens) in entries { entries[holder] = tokens.mapValues { Token(number: $0.number) } }
  }

  private mutating func newToken() -> Token {
    lastNumber += 1
    return Token(number: lastNumber)
  }

  // MARK: Lists

  func list(_ object: ObjectBase, _ property: String) -> [Token] { lists[Holder(place: Place(object), property: property)] ?? [] }

  /// Changes the elements of a list as the list itself is being changed.
  mutating func editList(_ object: ObjectBase, _ property: String, _ edit: (inout [Token]) -> Void) {
    touch(object, property)
    edit(&lists[Holder(place: Place(object), property: property), default: []])
  }
  mutating func insert(_ object: ObjectBase, _ property: String, at index: Int) {
    let token = newToken()
    editList(object, property) { $0.insert(token, at: index) }
  }

  /// The property `any` holds another value.
  mutating func replaceAny(_ object: ObjectBase, _ value: AnyRealmValue) {
    replaced.insert(Place(object))
    let tokens = (0..<(value.listValue?.count ?? 0)).map { _ in newToken() }
    editList(object, "any") { $0 = tokens }
    removeEntries(object, "any")
    for key in value.dictionaryValue?.keys ?? [] { setEntry(object, "any", key) }
  }

  // MARK: Sets and maps

  /// By key, or by what stands for an element of a set.
  func entries(_ object: ObjectBase, _ property: String) -> [String: Token] { entries[Holder(place: Place(object), property: property)] ?? [:] }

  /// Puts an entry in or sets it.
  mutating func setEntry(_ object: ObjectBase, _ property: String, _ key: String) {
    touch(object, property)
    let token = newToken()
    let holder = Holder(place: Place(object), property: property)
    if entries[holder]?[key] == nil { entries[holder, default: [:]][key] = token } else { entries[holder]?[key]?.isSet = true }
  }
  mutating func removeEntry(_ object: ObjectBase, _ property: String, _ key: String) {
    touch(object, property)
    entries[Holder(place: Place(object), property: property)]?[key] = nil
  }
  mutating func removeEntries(_ object: ObjectBase, _ property: String) {
    touch(object, property)
    entries[Holder(place: Place(object), property: property)] = [:]
  }
}
