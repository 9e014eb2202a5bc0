/// Slots of a dictionary's root (F6.4): two B+ trees, ordered by key. Entry `index` has its key in the one and its value in the other.
enum DictionarySlot {
  static let keys = 0
  static let values = 1
  static let count = 2
}
