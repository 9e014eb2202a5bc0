import Synchronization

extension RealmCore {
  /// A realm in memory is gone with its last instance. Programs that open it in each statement anew rely on the pools of Apple platforms, which
  /// keep it until the present turn of the run loop, the queue or the actor ends, or the innermost `autoreleasepool`: so it is done here.
  /// Must be called in the confinement.
  func stayForThisTurn() {
    if let pool = Pool.current, pool.keep(self) { return }
    guard let scheduler = Scheduler(self), !staysForThisTurn.exchange(true, ordering: .relaxed) else { return }
    scheduler.keep(self)
  }

  /// The same for a realm in a transaction that was begun by a call of its own, until the transaction ends: the next statement may open the realm
  /// anew to go on in it.
  func stayWhileWriting() {
    if let pool = Pool.current, pool.keepWhileWriting(self) {
      poolWhileWriting = pool
      return
    }
    // One transaction after the other in one turn must not queue up something for each.
    if let kept = keptWhileWriting { kept.keep(self) } else { keptWhileWriting = Scheduler(self)?.keep(self) }
  }
}

/// What an `autoreleasepool` keeps until its end.
final class Pool: @unchecked Sendable {
  // SAFETY: realms are put in where they were opened, and only kept; tasks that the block of the pool has made know the pool, too, hence the lock.
  @TaskLocal static var current: Pool?

  private let lock = RecursiveLock()
  private var cores: [RealmCore]? = []
  /// Those that are kept until their transactions end, if that is before.
  private var writing: [RealmCore] = []

  /// - Returns: false if the pool has ended, as it may have for a task that was made in it.
  func keep(_ core: RealmCore) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    if let cores, cores.contains(where: { $0 === core }) { return true }
    cores?.append(core)
    return cores != nil
  }

  /// The same until `letGo`.
  func keepWhileWriting(_ core: RealmCore) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    if cores != nil, !writing.contains(where: { $0 === core }) { writing.append(core) }
    return cores != nil
  }

  /// Call when the transaction of a realm has ended.
  func letGo(_ core: RealmCore) {
    lock.lock()
    defer { lock.unlock() }
    writing.removeAll { $0 === core }
  }

  func end() {
    lock.lock()
    let kept = (cores, writing)
    (cores, writing) = (nil, [])
    lock.unlock()
    // Not under the lock: they end here.
    withExtendedLifetime(kept) {}
  }
}
