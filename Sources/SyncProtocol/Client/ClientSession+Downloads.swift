extension ClientSession {
  /// Takes a DOWNLOAD after the checks of P5.5.
  mutating func receive(_ download: ServerMessage.Download) throws(Violation) -> [Effect] {
    if isClosing || hasFailed && !errorReceived { return [] }
    guard stage == .identified, !errorReceived else { throw Violation(.badMessageOrder, "DOWNLOAD came when it was not expected") }
    try check(download.progress)
    try check(download)
    var effects: [Effect] = []
    var head = IntegratingHead(progress: download.progress)
    var begins = false
    if case .flexible(let version, let batch, _) = download.extent, batch != .steady {
      begins = bootstrapping != version
      effects += try receiveBatch(of: version)
      if batch == .more { head.progress = nil } else { (head.queryVersion, bootstrapping) = (version, nil) }
    }
    if let progress = head.progress { received = progress }
    integrating.append(head)
    integrationsBegun += 1
    return effects + [.integrate(download, beginsBootstrap: begins)]
  }

  /// A part of a bootstrap. One for a version that was never asked for, or that a later one has replaced in the file, cannot be applied (P7.2).
  private mutating func receiveBatch(of version: UInt64) throws(Violation) -> [Effect] {
    let active = integrating.last { $0.queryVersion != nil }?.queryVersion ?? file.query?.version ?? 0
    guard version >= active, version <= max(lastQuerySent, active) else {
      throw Violation(.badMessageOrder, "a bootstrap of query \(version), when \(active) is active and \(lastQuerySent) was the last one")
    }
    let isNew = bootstrapping != version && version > active
    bootstrapping = version
    return isNew ? [.queryChanged(version: version, .bootstrapping)] : []
  }

  private func check(_ new: HeadProgress) throws(Violation) {
    func require(_ condition: Bool, _ text: @autoclosure () -> String) throws(Violation) {
      if !condition { throw Violation(.badProgress, "DOWNLOAD: \(text())") }
    }
    let old = received
    let (server, download, upload) = (new.latestServer.version, new.download, new.upload)
    try require(server >= old.latestServer.version, "the server goes back from version \(old.latestServer.version) to \(server)")
    try require(
      upload.clientVersion >= old.upload.clientVersion,
      "the upload goes back from version \(old.upload.clientVersion) to \(upload.clientVersion)")
    try require(upload.clientVersion <= newestVersion, "version \(upload.clientVersion) is acknowledged, but \(newestVersion) is the newest")
    try require(
      download.serverVersion >= old.download.serverVersion,
      "the download goes back from server version \(old.download.serverVersion) to \(download.serverVersion)")
    try require(download.serverVersion <= server, "server version \(download.serverVersion) is downloaded, but \(server) is the newest")
    try require(
      download.serverVersion >= upload.serverVersion,
      "the upload is based on server version \(upload.serverVersion), but \(download.serverVersion) is downloaded")
    try require(
      download.clientVersion >= old.download.clientVersion,
      "the download goes back from version \(old.download.clientVersion) to \(download.clientVersion)")
    try require(
      download.clientVersion <= upload.clientVersion,
      "version \(download.clientVersion) is included, but only \(upload.clientVersion) acknowledged")
  }

  private func check(_ download: ServerMessage.Download) throws(Violation) {
    var (server, client) = (received.download.serverVersion, received.download.clientVersion)
    let limit = download.progress.download
    for (place, entry) in download.entries.enumerated() {
      let cursor = entry.cursor
      let isNext = cursor.serverVersion > server || mode == .flexible && cursor.serverVersion == server
      guard isNext, cursor.serverVersion <= limit.serverVersion else {
        throw Violation(.badProgress, "changeset \(place) of a DOWNLOAD has server version \(cursor.serverVersion), after \(server)")
      }
      guard cursor.clientVersion >= client, cursor.clientVersion <= limit.clientVersion else {
        throw Violation(.badProgress, "changeset \(place) of a DOWNLOAD has client version \(cursor.clientVersion), after \(client)")
      }
      guard entry.origin > 0, entry.origin != file.ident?.ident else {
        throw Violation(.badOriginFileIdent, "changeset \(place) of a DOWNLOAD comes from file \(entry.origin)")
      }
      (server, client) = (cursor.serverVersion, cursor.clientVersion)
    }
  }
}
