import RealmStorage

extension RealmCore {
  /// Lets commits of others wake this realm, if something can be delivered in its confinement.
  func startListening() {
    guard turn == nil, !isFrozen, !configuration.readOnly, let scheduler = Scheduler(self) else { return }
    let turn = RealmTurn(self, scheduler)
    self.turn = turn
    if let version { turn.showed(version) }
    file.signals.add(turn, confinement.key, file.database)
  }

  /// In a turn of its own: somebody may have committed, or something waits to be told.
  func commitArrived() {
    // All of these end with the newest version, or ask for another turn.
    if isFrozen || isInWriteTransaction || isBeginningToWrite || isCommitting || isTellingObservers { return }
    let newest = file.database.newestVersion
    guard newest != version, newest != 0 else { return liveObservers.deliver(self, onlyBeginnings: !autorefresh) }
    guard isReading || !liveObservers.isEmpty, autorefresh else {
      liveObservers.deliver(self, onlyBeginnings: !autorefresh)
      if newest == announcedVersion { return }
      announcedVersion = newest
      if !autorefresh { return observers.tell(.refreshRequired, self) }
      // There is nothing to advance, but what is read next is new.
      turn?.showed(newest)
      return observers.didChange(self)
    }
    do { _ = try refresh() } catch {
      Logger.shared.log(.error, .realm, "A Realm could not be refreshed: \(ErrorBorder.text(of: error, path: file.path))")
    }
  }

  var isTellingObservers: Bool { observers.isDelivering || liveObservers.isDelivering }

  /// What is observed is told of at the next turn, if it has not been by then.
  func tellLater() { if !liveObservers.isEmpty { turn?.signal() } }

  /// Something that kept the realm from advancing has ended: what others committed meanwhile is looked for at the next turn.
  func catchUp() {
    guard let turn, !isInWriteTransaction, file.database.newestVersion != version else { return }
    turn.signal()
  }
}
