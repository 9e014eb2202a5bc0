#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A reference to a realm that does not keep it.
///
/// Swift's `weak` moves the reference count of its target into a table of its own, where every retain and release of it costs seven times as
/// much; objects retain their realm, so this would be paid with each object. Where the runtime lets itself be asked directly, the address is
/// kept instead; a realm takes its address back in `deinit`, under the lock that guards this reference.
///
/// - SAFETY: a live realm is only given to code that runs in its own confinement; a frozen one may be read anywhere.
@safe struct WeakCore: @unchecked Sendable, Equatable {
  private let address: UnsafeMutableRawPointer
  private let fallback: Fallback?

  private final class Fallback {
    weak var core: RealmCore?
    init(_ core: RealmCore) { self.core = core }
  }

  init(_ core: RealmCore, isEnding: Bool = false) {
    unsafe address = Unmanaged.passUnretained(core).toOpaque()
    // `deinit` makes one of these to find the others; a weak reference cannot be made then.
    fallback = unsafe WeakCore.tryRetain == nil && !isEnding ? Fallback(core) : nil
  }

  static func == (a: WeakCore, b: WeakCore) -> Bool { unsafe a.address == b.address }

  /// The realm, unless its last reference is gone. Only under the lock that its `deinit` takes to remove this.
  var core: RealmCore? {
    guard let tryRetain = unsafe WeakCore.tryRetain else { return fallback?.core }
    // SAFETY: the memory is there, as `deinit` has not been able to remove this yet; the runtime refuses if it is about to.
    guard let retained = unsafe tryRetain(address) else { return nil }
    return unsafe Unmanaged<RealmCore>.fromOpaque(retained).takeRetainedValue()
  }

  private typealias TryRetain = @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?

  /// The runtime's function of that name; nil where it cannot be found, as in statically linked programs.
  // SAFETY: the runtime exports it with this C signature; tests that open realms would crash at once if it were another.
  private static let tryRetain = unsafe SystemSymbol.function("swift_tryRetain", as: TryRetain.self)
}
