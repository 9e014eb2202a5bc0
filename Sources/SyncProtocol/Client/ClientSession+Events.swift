extension ClientSession {
  /// Takes what the store or the app says.
  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .identStored:
      identIsBeingStored = false
      return []
    case .versionMade(let version):
      file.version = max(file.version, version)
      return []
    case .integrated(let version): return integrated(version)
    case .integrationFailed(let code, let text): return integrationFailed(code, text)
    case .uploadRead(let number, let batch): return take(batch, number: number)
    case .queryPending(let query):
      file.pendingQueries.removeAll { $0.query.version >= query.query.version }
      file.pendingQueries.append(query)
      scanned = 0
      return []
    case .migrationSentinelChanged(let version):
      file.migrationSentinel = version
      return []
    case .waitForDownload:
      markWanted += 1
      return [.waitBegan(markWanted)]
    case .testCommand(let body):
      testCommands.append(body)
      return []
    case .close:
      isClosing = true
      // Nothing was said to the server, or everything.
      if stage == .unbound { stage = .over }
      return []
    }
  }

  private mutating func integrated(_ version: UInt64) -> [Effect] {
    guard !integrating.isEmpty else { return [] }
    let head = integrating.removeFirst()
    integrationsDone += 1
    file.version = max(file.version, version)
    var effects: [Effect] = []
    if let progress = head.progress {
      if progress.upload != file.progress.upload { effects.append(.uploadAcknowledged(progress.upload)) }
      file.progress = progress
      // What another connection has uploaded, or this one before it broke.
      if progress.upload.clientVersion > sent.clientVersion { sent = progress.upload }
      if let ready = readyUpload, ready.progress.clientVersion <= sent.clientVersion { readyUpload = nil }
      effects += compensated(progress.download.serverVersion)
    }
    if let query = head.queryVersion { effects += bootstrapped(query) }
    while let mark = marksAhead.first, mark.integrations <= integrationsDone {
      marksAhead.removeFirst()
      effects += reachMark(mark.request)
    }
    return effects
  }

  /// All objects of a query are in the file, and it is the active one.
  private mutating func bootstrapped(_ version: UInt64) -> [Effect] {
    guard version > file.query?.version ?? 0, let pending = file.pendingQueries.first(where: { $0.query.version == version }) else { return [] }
    file.query = pending.query
    file.pendingQueries.removeAll { $0.query.version <= version }
    scanned = 0
    file.queryAwaitsMark = true
    awaitMark(version)
    return [.queryChanged(version: version, .awaitingMark)]
  }

  /// What waited for a version of the server (P7.3).
  private mutating func compensated(_ serverVersion: UInt64) -> [Effect] {
    var effects: [Effect] = []
    while let first = compensations.first, first.rejection.serverVersion ?? 0 <= serverVersion {
      compensations.removeFirst()
      effects.append(.writesCompensated(first.report, first.rejection))
    }
    return effects
  }

  private mutating func integrationFailed(_ code: ErrorCode, _ text: String) -> [Effect] {
    guard isIntegrating else { return [] }
    integrationsDone = integrationsBegun
    (integrating, marksAhead) = ([], [])
    received = file.progress
    // Of a connection that is gone: this one gets the same again.
    guard stage == .identified, !hasFailed else {
      (markReceived, markSent) = (markReached, markReached)
      return []
    }
    hasFailed = true
    failureToSend = (code, text)
    return [.report(ErrorReport(code: code.rawValue, code.sdkError ?? .unknownError, text, isFatal: false))]
  }
}
