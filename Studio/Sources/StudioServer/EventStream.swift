import FlyingFox
import FlyingSocks
import Foundation
import StudioService

/// Changes as server-sent events, for as long as somebody reads them.
struct EventStream: AsyncBufferedSequence {
  typealias Element = UInt8
  private let stream: AsyncStream<[UInt8]>

  /// A sign of life now and then: writing it is how the end of a page is noticed.
  private static let interval = Duration.seconds(10)

  init(_ service: StudioService) {
    // Whoever reads too slowly misses the older ones: each says to look again, and the newest does, too.
    let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(256))
    self.stream = stream
    continuation.yield(Array(": hello\n\n".utf8))
    let number = service.listen { continuation.yield(Array("data: ".utf8) + $0 + Array("\n\n".utf8)) }
    let beat = Task {
      while !Task.isCancelled {
        try? await Task.sleep(for: Self.interval)
        continuation.yield(Array(":\n\n".utf8))
      }
    }
    continuation.onTermination = { _ in
      service.endListening(number)
      beat.cancel()
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    fileprivate var base: AsyncStream<[UInt8]>.Iterator
    private var rest: ArraySlice<UInt8> = []

    fileprivate init(base: AsyncStream<[UInt8]>.Iterator) { self.base = base }

    mutating func next() async -> UInt8? {
      if rest.isEmpty { rest = (await base.next() ?? [])[...] }
      return rest.popFirst()
    }
    mutating func nextBuffer(suggested count: Int) async -> [UInt8]? {
      if rest.isEmpty { return await base.next() }
      defer { rest = [] }
      return Array(rest)
    }
  }
}
