#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Finds out at start-up how the runtime counts references, so that the counts of an object tell whether somebody else has it.
///
/// `isKnownUniquelyReferenced` ignores weak and unowned references, which would see the object become another one. The runtime keeps all counts
/// in the second word of an object, which looks like that of a new object only if there is one reference in all, and grows by the same number for
/// each strong one.
enum SharingProbe {
  // SAFETY: every native object begins with its metadata and its counts, two words.
  @inline(__always) static func counts(_ object: UnsafeMutableRawPointer) -> UInt {
    unsafe object.load(fromByteOffset: MemoryLayout<UInt>.size, as: UInt.self)
  }

  /// The counts of an object with one reference; all ones, which no object has, if they do not tell what they should.
  static let newObjectCounts: UInt = {
    let alone = counts { _ in nil }
    let shared = [counts { StrongReference($0) }, counts { WeakReference($0) }, counts { UnownedReference($0) }]
    let isAsExpected = !shared.contains(alone) && counts { _ in nil } == alone && addsUp(alone)
    return isAsExpected ? alone : .max
  }()

  /// By how much a strong reference raises the counts.
  static let strongReference: UInt = counts { StrongReference($0) } &- counts { _ in nil }

  private typealias Retain = @convention(c) (UnsafeMutableRawPointer, UInt32) -> UnsafeMutableRawPointer
  private typealias Release = @convention(c) (UnsafeMutableRawPointer, UInt32) -> Void
  /// What counts many references at the price of one; nil where the functions cannot be found.
  private static let counting: (retain: Retain, release: Release)? = {
    // SAFETY: the runtime exports them with these C signatures; `addsUp` tries them before anybody relies on them.
    let retain = unsafe SystemSymbol.function("swift_retain_n", as: Retain.self)
    let release = unsafe SystemSymbol.function("swift_release_n", as: Release.self)
    return if let retain = unsafe retain, let release = unsafe release { unsafe (retain, release) } else { nil }
  }()

  /// How many references to an object that is handed out again and again are best counted at once.
  static let batch: UInt32 = unsafe counting == nil ? 1 : 1000

  static func retain<Object>(_ object: Unmanaged<Object>, _ count: UInt32) {
    if let counting = unsafe counting { return _ = unsafe counting.retain(object.toOpaque(), count) }
    for _ in 0..<count { _ = unsafe object.retain() }
  }
  static func release<Object>(_ object: Unmanaged<Object>, _ count: UInt32) {
    if let counting = unsafe counting { return unsafe counting.release(object.toOpaque(), count) }
    for _ in 0..<count { unsafe object.release() }
  }

  /// Whether many references raise the counts as they should, and go away again.
  private static func addsUp(_ alone: UInt) -> Bool {
    let subject = unsafe Unmanaged.passRetained(Subject())
    defer { unsafe subject.release() }
    unsafe retain(subject, batch)
    let raised = unsafe counts(subject.toOpaque())
    unsafe release(subject, batch)
    return unsafe raised == alone &+ UInt(batch) &* strongReference && counts(subject.toOpaque()) == alone
  }

  private final class Subject {}

  // Classes whose references are looked at afterwards: the optimiser would leave out others.
  private class Reference { var current: Subject? { nil } }
  private final class StrongReference: Reference {
    private let subject: Subject
    init(_ subject: Subject) { self.subject = subject }
    override var current: Subject? { subject }
  }
  private final class WeakReference: Reference {
    private weak var subject: Subject?
    init(_ subject: Subject) { self.subject = subject }
    override var current: Subject? { subject }
  }
  private final class UnownedReference: Reference {
    private unowned let subject: Subject
    init(_ subject: Subject) { self.subject = subject }
    override var current: Subject? { subject }
  }

  /// The counts of a new object while what `refer` returns exists; 0 if that is not what it should be.
  @inline(never) private static func counts(_ refer: (Subject) -> Reference?) -> UInt {
    let subject = unsafe Unmanaged.passRetained(Subject())
    defer { unsafe subject.release() }
    let reference = unsafe subject._withUnsafeGuaranteedRef { refer($0) }
    // A call that the optimiser knows nothing of: it must not put off making the reference.
    _ = getppid()
    let counts = unsafe counts(subject.toOpaque())
    let isReferred = unsafe subject._withUnsafeGuaranteedRef { subject in reference.map { $0.current === subject } ?? true }
    return isReferred ? counts : 0
  }
}
