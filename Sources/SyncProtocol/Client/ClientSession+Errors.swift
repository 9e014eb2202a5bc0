extension ClientSession {
  /// A JSON_ERROR of this session, with the reactions of P8.2.
  mutating func receiveError(_ code: Int32, _ text: String) throws(Violation) -> [Effect] {
    try checkError(code)
    let body: ErrorBody
    do throws(ProtocolError) { body = try ErrorBody(parsing: text, code: code) } catch { throw Violation(error) }
    switch ErrorCode(rawValue: code) {
    case .compensatingWrite:
      // Not for a session that ends, and not twice if the connection broke between the error and what makes up for it.
      guard !isClosing, let rejection = body.rejection, !compensations.contains(where: { $0.rejection == rejection }) else { return [] }
      compensations.append((ErrorReport(code: code, body, isFatal: false), rejection))
      return []
    case .schemaVersionChanged: return isClosing ? [] : [.demand(.migrateSchema(previousVersion: body.previousSchemaVersion ?? 0))]
    default: break
    }
    let wasActive = suspend()
    return wasActive ? try reaction(to: code, body) : []
  }

  /// The obsolete form, which knows no actions.
  mutating func receiveError(_ code: Int32, _ tryAgain: Bool, _ text: String) throws(Violation) -> [Effect] {
    try checkError(code)
    guard suspend() else { return [] }
    let report = ErrorReport(code: code, ErrorCode(rawValue: code)?.sdkError ?? .unknownError, text, isFatal: !tryAgain)
    return [.report(report)] + (tryAgain ? [resumption(code, nil)] : [])
  }

  private func checkError(_ code: Int32) throws(Violation) {
    guard stage >= .bound, stage != .over, !errorReceived else { throw Violation(.badMessageOrder, "an error came when none was expected") }
    if let known = ErrorCode(rawValue: code), !known.isOfSession {
      throw Violation(.badMessageOrder, "the error \(code), which is about the connection, came for a session")
    }
  }

  /// - Returns: whether the app is still interested.
  private mutating func suspend() -> Bool {
    errorReceived = true
    if stage == .unbinding { stage = .over }
    if isClosing { return false }
    isSuspended = true
    return true
  }

  private func resumption(_ code: Int32, _ backOff: ErrorBody.BackOff?) -> Effect {
    let isFixed = code == ErrorCode.sessionClosed.rawValue
    return .resumeLater(code: code, backOff, fixedMilliseconds: isFixed ? 1000 : nil)
  }

  private func reaction(to code: Int32, _ body: ErrorBody) throws(Violation) -> [Effect] {
    let report = ErrorReport(code: code, body, isFatal: true)
    let warning = ErrorReport(code: code, body, isFatal: false)
    let resumes = body.tryAgain ? [resumption(code, body.backOff)] : []
    switch ErrorAction(rawValue: body.action) {
    case .transient: return [resumption(code, body.backOff)]
    case .warning: return [.report(warning)] + resumes
    case .applicationBug, .protocolViolation, .migrateSchema, nil: return [.report(body.tryAgain ? warning : report)] + resumes
    case .clientReset: return [.demand(.clientReset(allowsRecovery: !body.isRecoveryModeDisabled, report))]
    case .clientResetNoRecovery: return [.demand(.clientReset(allowsRecovery: false, report))]
    case .deleteRealm: return [.demand(.deleteRealm(report))]
    case .migrateToFlexibleSync:
      guard mode == .partition, let query = body.partitionQuery else {
        throw Violation(.badMessageOrder, "a file cannot be migrated by error \(code)")
      }
      return [.demand(.migrateToFlexibleSync(partitionQuery: query))]
    case .revertToPartitionSync:
      guard mode == .flexible, file.wasMigrated else { throw Violation(.badMessageOrder, "a file that was not migrated cannot go back") }
      return [.demand(.revertToPartitionSync)]
    case .refreshUser: return [.fetch(.token)]
    case .refreshLocation: return [.fetch(.locationAndToken)]
    case .logOutUser: return [.demand(.logOut(report))]
    }
  }
}
