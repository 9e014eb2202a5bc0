import Dispatch
import RealmStorage

extension RealmFile {
  func pinnedVersions() throws -> [Realm.PinnedVersion] {
    let claims = try database.versionClaims()
    let (newest, now) = (database.newestVersion, CoarseClock.now)
    var found: [Realm.PinnedVersion] = []
    var explained: [UInt64: (live: Int, frozen: Int)] = [:]
    for record in pins.all {
      guard let (version, holder, age) = record.read(at: now) else { continue }
      var counts = explained[version] ?? (0, 0)
      if holder == .frozenRealm { counts.frozen += 1 } else { counts.live += 1 }
      explained[version] = counts
      found.append(
        Realm.PinnedVersion(
          version: version, isNewest: version == newest, holder: holder, confinement: record.confinement, age: age))
    }
    for claims in claims {
      func add(_ holder: Realm.PinnedVersion.Holder) {
        found.append(
          Realm.PinnedVersion(version: claims.version, isNewest: claims.version == newest, holder: holder, confinement: .none, age: nil))
      }
      let known = explained[claims.version] ?? (0, 0)
      if Int(claims.ownLive) > known.live || Int(claims.ownFrozen) > known.frozen { add(.other) }
      if claims.isHeldByOthers { add(.otherProcess) }
    }
    return found.enumerated().sorted { ($0.element.version, $0.offset) < ($1.element.version, $1.offset) }.map(\.element)
  }
}
