import Foundation
import OpenCombine
import RealmSwift

/// Carrying what belongs to a realm from one scheduler to another.
enum HandingOver {
  /// What a value becomes on its way.
  private struct Parcel<Output, Content: ThreadConfined> {
    let output: Output
    /// Nil for what can be handed over as it is.
    let reference: ThreadSafeReference<Content>?
    let configuration: Realm.Configuration?
  }

  /// - Parameters:
  ///   - content: what belongs to a realm in a value.
  ///   - replacing: the value with the counterpart of its content.
  static func run<Upstream: Publisher, S: Scheduler, Content: ThreadConfined, Sub: Subscriber>(
    _ upstream: Upstream, _ scheduler: S, _ subscriber: Sub, content: @escaping (Upstream.Output) -> Content?,
    replacing: @escaping (Upstream.Output, Content) -> Upstream.Output
  ) where Sub.Input == Upstream.Output, Sub.Failure == Upstream.Failure {
    upstream
      .compactMap { output -> Parcel<Upstream.Output, Content>? in
        guard let content = content(output), let realm = content.realm, !realm.isFrozen else {
          return Parcel(output: output, reference: nil, configuration: nil)
        }
        // There is no way to take along what is gone.
        if content.isInvalidated { return nil }
        return Parcel(output: output, reference: ThreadSafeReference(to: content), configuration: realm.configuration)
      }
      .receive(on: scheduler)
      .compactMap { parcel -> Upstream.Output? in
        guard let reference = parcel.reference, let configuration = parcel.configuration else { return parcel.output }
        return realm(configuration, scheduler)?.resolve(reference).map { replacing(parcel.output, $0) }
      }
      .receive(subscriber: subscriber)
  }

  /// The same for changes.
  static func run<Upstream: Publisher, S: Scheduler, Sub: Subscriber>(_ upstream: Upstream, _ scheduler: S, _ subscriber: Sub)
  where Upstream.Output: _ConfinedChange, Sub.Input == Upstream.Output, Sub.Failure == Upstream.Failure {
    run(upstream, scheduler, subscriber, content: { $0._content }, replacing: { $0._with($1) })
  }

  /// The same for objects and collections themselves.
  static func run<Upstream: Publisher, S: Scheduler, Sub: Subscriber>(_ upstream: Upstream, _ scheduler: S, _ subscriber: Sub)
  where Upstream.Output: ThreadConfined, Sub.Input == Upstream.Output, Sub.Failure == Upstream.Failure {
    run(upstream, scheduler, subscriber, content: { $0 }, replacing: { $1 })
  }

  private static func realm(_ configuration: Realm.Configuration, _ scheduler: some Scheduler) -> Realm? {
    do { return try Realm(configuration: configuration, queue: scheduler.dispatchQueue) } catch {
      Logger.shared.log(.error, .notifications, "A Realm could not be opened to hand something over: \(error.localizedDescription)")
      return nil
    }
  }
}
