/// One WebSocket of a client with all its sessions: who may send, whether the server is alive, and when to try again (P2, P5.9, P6.1).
///
/// It owns neither socket nor clock nor random numbers: time comes with every event, in milliseconds of a clock that only goes forward.
package struct ClientConnection: Sendable {
  /// How long things take.
  package struct Timing: Sendable {
    package var connectMilliseconds: UInt64 = 120_000
    package var lingerMilliseconds: UInt64 = 30_000
    package var pingMilliseconds: UInt64 = 60_000
    package var pongMilliseconds: UInt64 = 120_000
    package var fastReconnectMilliseconds: UInt64 = 60_000

    package init() {}
  }

  /// What wakes a connection up. A timer that is set again replaces the former one.
  package enum Timer: Hashable, Sendable {
    case connect, reconnect, ping, pong, linger
    /// Of the session with this key.
    case resume(Int)
  }

  /// What happens. Keys are chosen by the caller, and stay the same for the life of a session; numbers on the wire do not.
  package enum Event: Sendable {
    case open(key: Int, bindBody: String, ClientSession.File)
    case session(key: Int, ClientSession.Event)
    /// The answer 101, with its `Sec-WebSocket-Protocol`.
    case opened(subprotocol: String?)
    /// Any other answer.
    case refused(status: Int)
    case failed(ClosingReaction.TransportFailure)
    /// The frame that ends a WebSocket.
    case closeFrame(code: UInt16)
    /// A binary message.
    case received([UInt8])
    /// The last `send` is on its way, and there is place for another one.
    case sent
    case timer(Timer)
    /// What was asked for is there.
    case fetched
    case fetchFailed
    /// The network is back, or the app wants to be sure.
    case reconnectNow
  }

  /// What is to be done.
  package enum Effect: Equatable, Sendable {
    /// Open a WebSocket with these subprotocols; answered by `opened`, `refused` or `failed`.
    case connect(subprotocols: String)
    /// Close the transport. Nothing that still comes from it is handed on.
    case disconnect
    /// A binary message; answered by `sent`.
    case send([UInt8])
    case setTimer(Timer, milliseconds: UInt64)
    case cancelTimer(Timer)
    /// Answered by `fetched` or `fetchFailed`.
    case fetch(ClosingReaction.Fetch)
    case logOut
    /// For the error handler of every session.
    case report(ErrorReport)
    case log(LogBody)
    case session(key: Int, ClientSession.Effect)
    /// A session that the app has closed is no more.
    case closed(key: Int)
  }

  /// Where the transport is.
  enum State: Equatable, Sendable {
    /// Nobody wants it, or it must not come back by itself.
    case idle
    /// For a timer.
    case waiting
    /// For a token or an address; then at once or after the usual wait.
    case fetching(EndReason, waitsAfterwards: Bool)
    case connecting
    case connected
  }

  /// Why the last one ended: the wait grows while it is the same.
  enum EndReason: Equatable, Sendable {
    case status(Int)
    case transport(ClosingReaction.TransportFailure)
    case closeFrame(UInt16)
    case serverError(Int32)
    case pongMissing
  }

  /// A session with what only the connection knows of it.
  struct Member: Sendable {
    var session: ClientSession
    var backOff = BackOff<Int32>()
    /// As soon as the old number is free.
    var resumesWhenOver = false
  }

  let mode: SyncMode
  let versions: ClosedRange<Int>
  let timing: Timing
  let limits: MessageLimits
  var state = State.idle
  var members: [Int: Member] = [:]
  /// Whose turn it is.
  var turns: [Int] = []
  var lastNumber: UInt64 = 0
  /// Numbers of this connection that a session has.
  var keys: [UInt64: Int] = [:]
  /// Numbers of this connection that no session has any more.
  var pastNumbers: Set<UInt64> = []
  var isSending = false
  var backOff = BackOff<EndReason>()
  var lastEnd: UInt64?
  /// Fetches since anything went well.
  var fetchCount = 0
  /// Nothing happens by itself any more, until somebody asks for it.
  var isHalted = false
  var routeIsConfirmed: Bool
  var ping = PingState()
  /// Sessions that a timer resumes, and those that wait for a token.
  var resuming: Set<Int> = []
  var fetchers: Set<Int> = []
  /// What is being fetched.
  var fetching = ClosingReaction.Fetch.nothing

  /// The signs of life.
  struct PingState: Sendable {
    var isDue = false
    /// The number of the one that was not answered.
    var awaited: UInt64?
    var roundTripMilliseconds: UInt64 = 0
    /// Another one is wanted as soon as this one is answered.
    var isUrgent = false
  }

  /// - Parameter routeIsConfirmed: an answer about the location of this process has said where to synchronise (P2.4).
  package init(
    mode: SyncMode, versions: ClosedRange<Int> = ProtocolVersion.supported, timing: Timing = Timing(), limits: MessageLimits = .ofClient,
    routeIsConfirmed: Bool = true
  ) {
    (self.mode, self.versions, self.timing, self.limits) = (mode, versions, timing, limits)
    self.routeIsConfirmed = routeIsConfirmed
  }

  package var isConnected: Bool { state == .connected }

  /// - Parameter now: milliseconds.
  package mutating func handle(_ event: Event, now: UInt64, using random: inout some RandomNumberGenerator) -> [Effect] {
    var effects: [Effect] = []
    switch event {
    case .open(let key, let bindBody, let file): open(key, bindBody, file, &effects)
    case .session(let key, let event):
      guard var member = members[key] else { break }
      let results = member.session.handle(event)
      members[key] = member
      pass(results, of: key, &effects, &random)
    case .opened(let subprotocol): opened(subprotocol, now, &effects, &random)
    case .refused(let status):
      guard state == .connecting else { break }
      end(ClosingReaction(status: status, routeIsConfirmed: routeIsConfirmed), .status(status), "HTTP status \(status)", now, &effects, &random)
    case .failed(let failure):
      guard state == .connecting || state == .connected else { break }
      // What did connect was at the right place.
      let isConfirmed = routeIsConfirmed || state == .connected
      let reaction = ClosingReaction(state == .connected && failure == .unreachable ? .ended : failure, routeIsConfirmed: isConfirmed)
      end(reaction, .transport(failure), "the transport failed", now, &effects, &random)
    case .closeFrame(let code):
      guard state == .connected else { break }
      let reaction = ClosingReaction(closeCode: code)
      if reaction.retry == .notOver { break }
      end(reaction, .closeFrame(code), "the server closed the connection with code \(code)", now, &effects, &random)
    case .received(let bytes): received(bytes, now, &effects, &random)
    case .sent: isSending = false
    case .timer(let timer): fired(timer, now, &effects, &random)
    case .fetched: fetched(now, &effects, &random)
    case .fetchFailed: fetchFailed(now, &effects, &random)
    case .reconnectNow: reconnectNow(now, &effects)
    }
    settle(now, &effects)
    return effects
  }

  /// What follows from any event: somebody may have something to say, and the connection may be wanted or not.
  private mutating func settle(_ now: UInt64, _ effects: inout [Effect]) {
    fillPlace(now, &effects)
    removeFinished(now, &effects)
    let isWanted = members.values.contains { !$0.session.isSuspended }
    switch state {
    case .idle where isWanted && !isHalted: connect(&effects)
    case .connected where !isWanted && !members.isEmpty && !isSending && members.values.allSatisfy(\.session.isQuiet):
      // All that is left waits for something else (P8.2).
      endVoluntarily(now, &effects)
    default: break
    }
  }

  /// Sessions speak in turn; one that has nothing to say does not hold up the next.
  private mutating func fillPlace(_ now: UInt64, _ effects: inout [Effect]) {
    guard state == .connected, !isSending else { return }
    if ping.isDue {
      sendPing(now, &effects)
      return
    }
    for _ in turns.indices {
      let key = turns.removeFirst()
      turns.append(key)
      guard var member = members[key] else { continue }
      let (message, questions) = member.session.fillPlace()
      members[key] = member
      effects += questions.map { .session(key: key, $0) }
      if let message {
        isSending = true
        effects.append(.send(message.encoded))
      }
      retireIfOver(key)
      if isSending { return }
    }
  }

  /// A number that nothing is expected for any more is not used again; its session may go on with another one.
  mutating func retireIfOver(_ key: Int) {
    guard var member = members[key], member.session.isOver, keys.removeValue(forKey: member.session.number) != nil else { return }
    pastNumbers.insert(member.session.number)
    if member.resumesWhenOver, !member.session.isClosing {
      member.resumesWhenOver = false
      begin(&member, key, isFast: true)
    }
    members[key] = member
  }

  mutating func begin(_ member: inout Member, _ key: Int, isFast: Bool) {
    lastNumber += 1
    member.session.begin(number: lastNumber, isFast: isFast)
    keys[lastNumber] = key
  }

  private mutating func removeFinished(_ now: UInt64, _ effects: inout [Effect]) {
    for (key, member) in members.sorted(by: { $0.key < $1.key }) where member.session.isFinished {
      members[key] = nil
      turns.removeAll { $0 == key }
      resuming.remove(key)
      fetchers.remove(key)
      effects += [.cancelTimer(.resume(key)), .closed(key: key)]
      guard members.isEmpty else { continue }
      // Another session may come soon.
      if state == .connected { effects.append(.setTimer(.linger, milliseconds: timing.lingerMilliseconds)) } else { endVoluntarily(now, &effects) }
    }
  }

  private mutating func open(_ key: Int, _ bindBody: String, _ file: ClientSession.File, _ effects: inout [Effect]) {
    guard members[key] == nil else { return }
    isHalted = false
    var member = Member(session: ClientSession(number: 0, mode: mode, bindBody: bindBody, file: file))
    if members.isEmpty { effects.append(.cancelTimer(.linger)) }
    if state == .connected { begin(&member, key, isFast: false) }
    members[key] = member
    turns.append(key)
  }
}
