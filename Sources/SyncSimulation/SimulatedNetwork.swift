import RealmStorage
import RealmSync

/// Messages that are under way. Those of one connection in one direction stay in their order.
struct SimulatedNetwork {
  enum ClientMessage {
    case needIdent
    case ident(SyncStatus)
    case upload(Upload)
  }

  enum ServerMessage {
    case ident(UInt64, salt: UInt64)
    case download(ModelServer.Download)
  }

  enum Message {
    case fromClient(Int, ClientMessage)
    case fromServer(Int, ServerMessage)

    /// Of the one client that every message has to do with.
    var client: Int {
      switch self {
      case .fromClient(let number, _), .fromServer(let number, _): number
      }
    }
    var isUpward: Bool { if case .fromClient = self { true } else { false } }
  }

  /// Milliseconds since 2015.
  var now: UInt64 = 1_000_000
  private var underWay: [(time: UInt64, message: Message)] = []

  mutating func send(_ message: Message, delay: UInt64) {
    let before = underWay.last { $0.message.client == message.client && $0.message.isUpward == message.isUpward }?.time ?? 0
    underWay.append((max(now + delay, before), message))
  }

  /// The message that arrives next.
  mutating func next() -> Message? {
    guard let position = underWay.indices.min(by: { underWay[$0].time < underWay[$1].time }) else { return nil }
    let (time, message) = underWay.remove(at: position)
    now = max(now, time)
    return message
  }

  mutating func dropMessages(of client: Int) { underWay.removeAll { $0.message.client == client } }
}
