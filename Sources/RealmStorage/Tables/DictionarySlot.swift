/// Slots of a dictionary's root (F6.4): two B+ trees, ordered by key. Entry `index` has its key in the one and its value in the other.
package enum DictionarySlot {
  package static let keys = 0
  package static let values = 1
  package static let count = 2
}
