import RealmStorage

/// Has to be found by every search; otherwise the search does not work here.
private final class DiscoveryMarker: ObjectBase {
  override class func _realmIgnoreClass() -> Bool { true }
}

/// The last search, good until an image is loaded or unloaded.
private struct Search: Sendable {
  var imageCount: Int
  var types: [ObjectBase.Type]
}

private let lastSearch = Locked<Search?>(nil)

/// The model classes of the program, found without being listed, in the order of their names. Classes of the SDK itself and those that
/// want to be ignored are left out; unspecialised generic classes cannot be found.
///
/// Looks again when images were loaded since the last call; otherwise costs some microseconds.
func discoverModelClasses() throws -> [ObjectBase.Type] {
  let imageCount = LoadedClasses.imageCount()
  if let search = lastSearch.withLock({ $0 }), search.imageCount == imageCount { return search.types }
  guard let classes = LoadedClasses.subclasses(of: ObjectBase.self), classes.contains(where: { $0 == DiscoveryMarker.self }) else {
    throw RealmFailure.misuse(
      "The model classes of this program cannot be found: its Swift runtime keeps other records than this version of the SDK knows. "
        + "List the classes in `objectTypes` of the `Realm.Configuration`.")
  }
  var named: [(name: String, type: ObjectBase.Type)] = []
  for case let type as ObjectBase.Type in classes where !type.belongsToSDK && !type._realmIgnoreClass() {
    named.append((String(describing: type) + "\n" + String(reflecting: type), type))
  }
  named.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  let types = named.map(\.type)
  lastSearch.withLock { $0 = Search(imageCount: imageCount, types: types) }
  return types
}
