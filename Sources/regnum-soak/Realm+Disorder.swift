import RealmSwift

extension Realm {
  /// What every version must have, whoever made it.
  var disorder: String? {
    let sum: Int = objects(Part.self).sum(of: \.number)
    return sum == 0 ? nil : "the numbers of all parts add up to \(sum)"
  }
}
