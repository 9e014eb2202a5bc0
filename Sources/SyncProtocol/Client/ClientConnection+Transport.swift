extension ClientConnection {
  mutating func connect(_ effects: inout [Effect]) {
    state = .connecting
    effects += [
      .connect(subprotocols: ProtocolVersion.offer(mode, versions)), .setTimer(.connect, milliseconds: timing.connectMilliseconds),
    ]
  }

  mutating func opened(
    _ subprotocol: String?, _ now: UInt64, _ effects: inout [Effect], _ random: inout some RandomNumberGenerator
  ) {
    guard state == .connecting else { return }
    effects.append(.cancelTimer(.connect))
    guard ProtocolVersion.agreed(answer: subprotocol, mode, versions) != nil else {
      let text = "the server answered with the subprotocol \(subprotocol ?? "(none)")"
      halt(ErrorReport(.syncProtocolNegotiationFailed, text, isFatal: true), now, &effects)
      return
    }
    state = .connected
    let isFast = lastEnd.map { now - min(now, $0) < timing.fastReconnectMilliseconds } ?? false
    (keys, pastNumbers, isSending) = ([:], [], false)
    for key in turns {
      guard var member = members[key], !member.session.isSuspended, !member.session.isClosing else { continue }
      begin(&member, key, isFast: isFast)
      members[key] = member
    }
    ping = PingState(roundTripMilliseconds: ping.roundTripMilliseconds)
    // Anywhere within the first period, so that not everybody speaks at once.
    effects.append(.setTimer(.ping, milliseconds: UInt64.random(in: 0...timing.pingMilliseconds, using: &random)))
  }

  /// The transport is gone, or none came.
  mutating func end(
    _ reaction: ClosingReaction, _ reason: EndReason, _ text: String, _ now: UInt64, _ effects: inout [Effect],
    _ random: inout some RandomNumberGenerator, asked: ErrorBody.BackOff? = nil
  ) {
    dropTransport(now, &effects)
    if let report = reaction.report { effects.append(.report(ErrorReport(report.error, text, isFatal: report.isFatal))) }
    if reaction.logsOut { effects.append(.logOut) }
    if reaction.resets { demandReset(text, &effects) }
    switch reaction.retry {
    case .never, .notOver: isHalted = true
    case .afterBackOff: wait(reason, asked, &effects, &random)
    case .afterFetching:
      fetchCount += 1
      // A server that refuses every new token would else be asked without end (P2.4).
      state = .fetching(reason, waitsAfterwards: fetchCount > 1)
      fetch(reaction.fetch, &effects)
    }
  }

  mutating func wait(_ reason: EndReason, _ asked: ErrorBody.BackOff?, _ effects: inout [Effect], _ random: inout some RandomNumberGenerator) {
    guard members.values.contains(where: { !$0.session.isSuspended }) else { return }
    state = .waiting
    effects.append(.setTimer(.reconnect, milliseconds: backOff.next(reason, asked, using: &random)))
  }

  private mutating func demandReset(_ text: String, _ effects: inout [Effect]) {
    let report = ErrorReport(.limitExceeded, text, isFatal: false)
    for key in turns {
      guard let isClosing = members[key]?.session.isClosing, !isClosing else { continue }
      members[key]?.session.isSuspended = true
      effects.append(.session(key: key, .demand(.clientReset(allowsRecovery: true, report))))
    }
  }

  /// Nobody needs it now.
  mutating func endVoluntarily(_ now: UInt64, _ effects: inout [Effect]) {
    if state == .idle { return }
    dropTransport(now, &effects)
    effects.append(.cancelTimer(.reconnect))
  }

  /// Both sides do not understand each other, which another attempt does not change.
  mutating func halt(_ report: ErrorReport, _ now: UInt64, _ effects: inout [Effect]) {
    dropTransport(now, &effects)
    isHalted = true
    effects.append(.report(report))
  }

  private mutating func dropTransport(_ now: UInt64, _ effects: inout [Effect]) {
    switch state {
    case .connected:
      lastEnd = now
      effects += [.disconnect, .cancelTimer(.ping), .cancelTimer(.pong), .cancelTimer(.linger)]
    case .connecting: effects += [.disconnect, .cancelTimer(.connect)]
    case .idle, .waiting, .fetching: break
    }
    state = .idle
    (keys, pastNumbers, isSending) = ([:], [], false)
    ping = PingState(roundTripMilliseconds: ping.roundTripMilliseconds)
    for key in members.keys {
      members[key]?.session.connectionLost()
      members[key]?.resumesWhenOver = false
    }
  }

  mutating func fetched(_ now: UInt64, _ effects: inout [Effect], _ random: inout some RandomNumberGenerator) {
    if fetching == .locationAndToken { routeIsConfirmed = true }
    fetching = .nothing
    if case .fetching(let reason, let waits) = state {
      state = .idle
      if waits { wait(reason, nil, &effects, &random) }
    }
    for key in turns where members[key]?.session.isSuspended == true && fetchers.contains(key) { resume(key) }
    fetchers = []
    if state == .connected { wantPing() }
  }

  mutating func fetchFailed(_ now: UInt64, _ effects: inout [Effect], _ random: inout some RandomNumberGenerator) {
    (fetchers, fetching) = ([], .nothing)
    guard case .fetching(let reason, _) = state else { return }
    state = .idle
    wait(reason, nil, &effects, &random)
  }

  /// Asks for it unless it is being fetched already.
  mutating func fetch(_ wanted: ClosingReaction.Fetch, _ effects: inout [Effect]) {
    if fetching == wanted || fetching == .locationAndToken { return }
    fetching = wanted
    effects.append(.fetch(wanted))
  }

  /// Goes on with a session that was suspended, as soon as the server has nothing to say any more to the old number.
  mutating func resume(_ key: Int) {
    guard var member = members[key], member.session.isSuspended, !member.session.isClosing else { return }
    if state == .connected {
      if member.session.isQuiet { begin(&member, key, isFast: true) } else { member.resumesWhenOver = true }
    } else {
      member.session.isSuspended = false
    }
    members[key] = member
  }

  mutating func reconnectNow(_ now: UInt64, _ effects: inout [Effect]) {
    isHalted = false
    switch state {
    case .waiting:
      backOff.reset()
      state = .idle
      effects.append(.cancelTimer(.reconnect))
    case .connected: wantPing()
    case .idle, .fetching, .connecting: backOff.reset()
    }
    for key in turns where resuming.contains(key) {
      effects.append(.cancelTimer(.resume(key)))
      resuming.remove(key)
      resume(key)
    }
  }

  mutating func fired(_ timer: Timer, _ now: UInt64, _ effects: inout [Effect], _ random: inout some RandomNumberGenerator) {
    switch timer {
    case .connect:
      guard state == .connecting else { break }
      let reaction = ClosingReaction(.timedOut, routeIsConfirmed: routeIsConfirmed)
      end(reaction, .transport(.timedOut), "no connection within \(timing.connectMilliseconds) ms", now, &effects, &random)
    case .reconnect: if state == .waiting { connect(&effects) }
    case .ping: if state == .connected, ping.awaited == nil { ping.isDue = true }
    case .pong:
      guard state == .connected, ping.awaited != nil else { break }
      let reaction = ClosingReaction(retry: .afterBackOff, report: ClosingReaction.Report(.connectionClosed, isFatal: false))
      end(reaction, .pongMissing, "no answer to a PING within \(timing.pongMilliseconds) ms", now, &effects, &random)
    case .linger: if members.isEmpty { endVoluntarily(now, &effects) }
    case .resume(let key): if resuming.remove(key) != nil { resume(key) }
    }
  }

  // MARK: Signs of life

  private mutating func wantPing() {
    if ping.awaited == nil { ping.isDue = true } else { ping.isUrgent = true }
  }

  mutating func sendPing(_ now: UInt64, _ effects: inout [Effect]) {
    ping.isDue = false
    (ping.awaited, isSending) = (now, true)
    let timestamp = Int64(clamping: now)
    let message = ClientMessage.ping(
      ClientMessage.Ping(timestamp: timestamp, roundTripMilliseconds: Int64(clamping: ping.roundTripMilliseconds)))
    effects += [.send(message.encoded), .cancelTimer(.ping), .setTimer(.pong, milliseconds: timing.pongMilliseconds)]
  }

  mutating func receivePong(
    _ timestamp: Int64, _ now: UInt64, _ effects: inout [Effect], _ random: inout some RandomNumberGenerator
  ) throws(Violation) {
    guard let awaited = ping.awaited else { throw Violation(.badMessageOrder, "PONG came when none was expected") }
    guard timestamp == Int64(clamping: awaited) else { throw Violation(.badSyntax, "PONG \(timestamp) came for PING \(awaited)") }
    ping.awaited = nil
    ping.roundTripMilliseconds = now - min(now, awaited)
    effects.append(.cancelTimer(.pong))
    if ping.isUrgent {
      (ping.isUrgent, ping.isDue) = (false, true)
      return
    }
    let period = timing.pingMilliseconds - UInt64.random(in: 0...timing.pingMilliseconds / 10, using: &random)
    effects.append(.setTimer(.ping, milliseconds: period - min(period, ping.roundTripMilliseconds)))
  }
}
