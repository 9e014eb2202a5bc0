package import RealmStorage

/// How many objects an import made and changed: each counts once, however many rows are about it.
package struct ImportTally {
  package private(set) var createdCount = 0
  package private(set) var changedCount = 0
  /// Rows about objects that rows before them were about.
  private var repeated: (count: Int, line: Int?) = (0, nil)
  /// 64 objects with successive keys each: imported ones have such, so that a million of them take some hundred kilobytes.
  private var stored: [Place: UInt64] = [:]
  private struct Place: Hashable {
    let table: TableKey
    let number: UInt64
  }
  private let mayRepeat: Bool

  /// - Parameter updates: whether several rows can be about one object; otherwise nothing is kept of objects.
  package init(updates: Bool) { mayRepeat = updates }

  /// Counts what was stored.
  /// - Parameters:
  ///   - table: the class of the object.
  ///   - isNew: whether the object was made for the row.
  ///   - line: of the row, if it has one.
  package mutating func add(_ object: ObjectKey, of table: Table, isNew: Bool, line: Int? = nil) {
    if mayRepeat, remember(object, table.key) {
      repeated = (repeated.count + 1, repeated.count == 0 ? line : repeated.line)
    } else if isNew {
      createdCount += 1
    } else {
      changedCount += 1
    }
  }

  /// - Returns: whether a row before was about the object.
  private mutating func remember(_ object: ObjectKey, _ table: TableKey) -> Bool {
    let number = UInt64(bitPattern: object.rawValue)
    let (place, bit) = (Place(table: table, number: number / 64), UInt64(1) << (number % 64))
    let before = stored[place, default: 0]
    stored[place] = before | bit
    return before & bit != 0
  }

  /// What there is to say of rows that changed what others had stored; nil if there are none.
  package var note: String? {
    if repeated.count == 0 { return nil }
    let place = repeated.line.map { repeated.count == 1 ? " (line \($0))" : ", the first in line \($0)" } ?? ""
    let subject = repeated.count == 1 ? "1 row is" : "\(repeated.count) rows are"
    return "\(subject) about an object that a row before it is about\(place): what comes last counts"
  }
}
