import RealmStorage

/// What every model class derives from.
///
/// An object is unmanaged, with its values in its own memory, or managed: an accessor of one row, which reads and writes the realm.
/// Managed objects are confined to the thread, queue or actor of their realm.
@safe nonisolated open class ObjectBase: Hashable, CustomStringConvertible, CustomDebugStringConvertible, _DynamicallyConstructible {
  // What a property read touches. All of it stays as it is while the object is unmanaged.

  // SAFETY: the address belongs to `core`, which this object keeps. The hot properties go without the run-time check for overlapping
  // accesses, which costs more than the read: a managed object is confined, and no access to one of them calls other code.
  @exclusivity(unchecked) private final var uncheckedAccess: UnsafePointer<AccessState>?
  // SAFETY: the binding belongs to `core`, or to the tracer while a key path is traced.
  @exclusivity(unchecked) private final var uncheckedBinding: Unmanaged<ClassBinding>?
  @exclusivity(unchecked) private final var uncheckedStamp: UInt64 = 0
  @exclusivity(unchecked) private final var uncheckedPlace: RowPlace?
  // SAFETY: as `uncheckedAccess`; of the binding.
  @exclusivity(unchecked) private final var uncheckedColumns: UnsafePointer<ColumnKey>?
  // SAFETY: retained by `bind`, released by `deinit`. Swift's own strong reference would retain the object, too, while it is being bound.
  @exclusivity(unchecked) private final var uncheckedCore: Unmanaged<RealmCore>?
  @exclusivity(unchecked) private final var uncheckedKey: ObjectKey = .null
  @exclusivity(unchecked) private final var uncheckedEpoch = ObjectEpoch()
  @exclusivity(unchecked) private final var uncheckedHasEnumeratedStrings = false
  @exclusivity(unchecked) private final var uncheckedIsTrackable = false

  final var binding: ClassBinding? {
    @inline(__always) get { unsafe uncheckedBinding?.takeUnretainedValue() }
    @inline(__always) set { unsafe uncheckedBinding = newValue.map { unsafe Unmanaged.passUnretained($0) } }
  }
  /// The stamp at which `row` was right.
  final var stamp: UInt64 {
    @inline(__always) get { unsafe uncheckedStamp }
    @inline(__always) set { unsafe uncheckedStamp = newValue }
  }
  /// Where the object's leaves are.
  final var place: RowPlace? {
    @inline(__always) get { unsafe uncheckedPlace }
    @inline(__always) set { unsafe uncheckedPlace = newValue }
  }
  final var hasEnumeratedStrings: Bool {
    @inline(__always) get { unsafe uncheckedHasEnumeratedStrings }
    @inline(__always) set { unsafe uncheckedHasEnumeratedStrings = newValue }
  }
  /// Reads are told to whoever tracks them: see `RowTracking`.
  final var isTrackable: Bool { @inline(__always) get { unsafe uncheckedIsTrackable } }
  final var core: RealmCore? { @inline(__always) get { unsafe uncheckedCore?.takeUnretainedValue() } }
  final var key: ObjectKey {
    @inline(__always) get { unsafe uncheckedKey }
    @inline(__always) set { unsafe uncheckedKey = newValue }
  }
  /// What was true of the realm when the object became managed: see `RealmCore.isGone`.
  final var epoch: ObjectEpoch {
    @inline(__always) get { unsafe uncheckedEpoch }
    @inline(__always) set { unsafe uncheckedEpoch = newValue }
  }

  /// An unmanaged object whose properties have their default values. A class with its own designated initialiser has to override this one, too.
  public init() {}

  /// What makes an object of a class that is known at run time only: Swift lets no other initialiser than a required one be called on such a
  /// class, and this one calls `init()` as the class overrides it. Were `init()` itself required, no class could write `override init()`, as
  /// classes do that were written for the original. Inherited by every class that overrides the designated initialisers of the one it derives
  /// from, or has none of its own. Public for technical reasons only; its name is what the compiler says to a class that does not inherit it.
  public required convenience init(_alsoOverrideInit: Void) { self.init() }

  deinit { unsafe uncheckedCore?.release() }

  /// Override to give the class another name in the schema and the file; nil is its name in Swift.
  open class func _realmObjectName() -> String? { nil }
  /// Override and return true for a class between the SDK's and the models that is no model itself: only schemas whose configuration names it
  /// in `objectTypes` get it.
  open class func _realmIgnoreClass() -> Bool { false }
  /// Override and return false to keep the class out of realms whose configuration names no `objectTypes`.
  open class func shouldIncludeInDefaultSchema() -> Bool { true }
  /// Override to give columns other names than the properties have: names in Swift, and those in the file.
  open class func propertiesMapping() -> [String: String] { [:] }
  /// The former name of `propertiesMapping()`.
  @available(*, unavailable, renamed: "propertiesMapping")
  public class func _realmColumnNames() -> [String: String] { [:] }
  /// Override to name the primary key of a class that does not mark it by `@Persisted(primaryKey: true)`.
  open class func primaryKey() -> String? { nil }
  /// Has no effect on `@Persisted` properties. A property that is not to be stored goes without `@Persisted`.
  open class func ignoredProperties() -> [String] { [] }
  /// Has no effect on `@Persisted` properties; see `@Persisted(indexed: true)`.
  open class func indexedProperties() -> [String] { [] }

  /// Whether the object was deleted, or its realm invalidated, or the transaction cancelled that created it. False for unmanaged objects.
  open var isInvalidated: Bool { isManagedAndGone }
  /// The names and values of all properties, those of linked objects and elements included, five levels deep.
  open var description: String { OwnDescription.ofTheSDK(orStop(core) { try ObjectText.describe(self) }) }
  /// For debuggers, failing tests, and what optionals and collections print: the description of a class that overrides it, else the class, the number
  /// of the row and the values. Never stops: what keeps the object from being read, such as the wrong thread, is said instead. Long values, many of them
  /// and what lies behind links are cut.
  open var debugDescription: String { OwnDescription.text(of: self) ?? DebugText.of(self) }

  /// A property by its name in Swift. Stops if there is none, on a wrong thread, and for an object that is gone.
  ///
  /// Numbers are boxed, so that they cast to every type of number that can hold them. Enumerations and custom types give what they are stored as,
  /// an `AnyRealmValue` its contents, null of any type nil.
  ///
  /// Setting converts as `Realm.create` does, and stops for a value that does not fit, for the primary key of a managed object, and outside of a
  /// write transaction.
  open subscript(key: String) -> Any? {
    get { orStop(core) { Boxed.value(try dynamicValue(key)) } }
    set { orStop(core) { try setDynamicValue(key, newValue) } }
  }

  /// The value of a property, for `self` the object; of another name that is none, what ``value(forUndefinedKey:)`` says.
  open func value(forKey key: String) -> Any? {
    if hasProperty(key) { return self[key] }
    return key == "self" ? self : value(forUndefinedKey: key)
  }
  /// Sets a property by its name, and stops where the setter of the subscript does: for a managed object for example outside of a write transaction.
  /// A name that is none is left to ``setValue(_:forUndefinedKey:)``.
  open func setValue(_ value: Any?, forKey key: String) {
    if hasProperty(key) { self[key] = value } else { setValue(value, forUndefinedKey: key) }
  }
  /// Stops. Override it for names that are no properties.
  open func value(forUndefinedKey key: String) -> Any? { self[key] }
  /// Stops. Override it for names that are no properties, for example to pass over them.
  open func setValue(_ value: Any?, forUndefinedKey key: String) { self[key] = value }

  /// What `==` says. True for the same instance, and for the same row of the same realm instance if the class has a primary key or the object is frozen.
  /// Whoever overrides it overrides ``hash``, too.
  open func isEqual(_ object: Any?) -> Bool { (object as? ObjectBase).map(isEqual(to:)) ?? false }
  /// The hash of the primary key, else of a frozen object that of its row, else that of the instance. Stops for an invalidated object with a primary
  /// key.
  open var hash: Int {
    var hasher = Hasher()
    combine(into: &hasher)
    return hasher.finalize()
  }

  /// True for the same instance, else what ``isEqual(_:)`` says: for the same row of the same realm instance if the class has a primary key or the
  /// object is frozen.
  public static func == (a: ObjectBase, b: ObjectBase) -> Bool { a === b || a.isEqual(b) }
  /// Hashes what ``hash`` says: the primary key, else of a frozen object its row, else the instance.
  public func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

extension ObjectBase {
  /// Makes this instance an accessor. The caller has checked that the object exists.
  @inline(__always) final func bind(_ binding: ClassBinding, _ core: RealmCore, _ key: ObjectKey) {
    unsafe bind(Unmanaged.passUnretained(binding), Unmanaged.passUnretained(core), key)
  }

  @inline(__always) final func bind(_ binding: Unmanaged<ClassBinding>, _ core: Unmanaged<RealmCore>, _ key: ObjectKey) {
    let old = unsafe uncheckedCore
    unsafe uncheckedCore = core.retain()
    unsafe uncheckedBinding = binding
    self.key = key
    unsafe core._withUnsafeGuaranteedRef { core in
      unsafe uncheckedAccess = core.access
      epoch = core.objectEpoch
    }
    unsafe binding._withUnsafeGuaranteedRef { binding in
      unsafe uncheckedColumns = binding.columnPointer
      if binding.isSpecial { adopt(binding) }
      binding.bindFields(of: self)
    }
    unsafe old?.release()
  }

  /// What few classes need.
  @inline(never) private final func adopt(_ binding: ClassBinding) {
    if binding.hasEnumeratedStrings { hasEnumeratedStrings = true }
    guard binding.isTrackable else { return }
    unsafe uncheckedIsTrackable = true
    // So that no read finds its place without being noted.
    unsafe uncheckedAccess = UnsafePointer(AccessCell.neverCurrent.state)
  }

  /// Ends the life of the accessor of an object that was passed to `Realm.delete`.
  final func detachAsDeleted() {
    epoch.wasDeleted = true
    stamp = 0
  }

  @inline(__always) final var isManaged: Bool { unsafe uncheckedCore != nil }

  /// Tells the accessor where its row is.
  @inline(__always) final func advance(to row: Row, _ stamp: UInt64) {
    unsafe uncheckedPlace = RowPlace(row)
    unsafe uncheckedStamp = stamp
  }

  /// The same for an accessor that was at another row of the same cluster.
  @inline(__always) final func step(to row: Int) { unsafe uncheckedPlace?.row = row }

  /// Makes an accessor that stands for one row of its class stand for another.
  @inline(__always) final func rebind(_ core: RealmCore, _ key: ObjectKey) {
    self.key = key
    epoch = core.objectEpoch
  }

  /// The class and the realm of a managed object, not retained for the caller.
  @inline(__always) final var references: (binding: Unmanaged<ClassBinding>, core: Unmanaged<RealmCore>)? {
    guard let binding = unsafe uncheckedBinding, let core = unsafe uncheckedCore else { return nil }
    return unsafe (binding, core)
  }

  /// The object's place, if it is known to be right and the calling thread to be the realm's: nothing else is touched.
  @inline(__always) final var currentPlace: RowPlace? {
    guard let access = unsafe uncheckedAccess, unsafe access.pointee.stamp == uncheckedStamp,
      unsafe access.pointee.thread == currentThread()
    else { return nil }
    return unsafe uncheckedPlace
  }

  /// The column of a property of a managed object.
  @inline(__always) final func column(_ key: UInt32) -> ColumnKey { unsafe uncheckedColumns.unsafelyUnwrapped[Int(key) - 1] }

  @inline(never) final func findPlace() -> RowPlace { orStop(core) { try locate() } }

  /// Finds the place anew and remembers it.
  final func locate() throws -> RowPlace {
    guard let core, let binding = binding else { throw RealmFailure.misuse("The object is not managed by a Realm.") }
    try core.verifyThread()
    if core.cell.stamp == stamp, let place { return place }
    guard !isGone(core) else { throw RealmFailure.misuse("Object has been deleted or invalidated.") }
    let table = try binding.table(core)
    guard let row = try table.rowIfPresent(key) else { throw RealmFailure.misuse("Object has been deleted or invalidated.") }
    let found = RowPlace(row)
    // Readers of a snapshot may share an object among threads: they never change it.
    if !core.isFrozen {
      place = found
      stamp = core.cell.stamp
    }
    return found
  }

  private func isGone(_ core: RealmCore) -> Bool { epoch.wasDeleted || core.isGone(epoch, key, binding: binding) }

  final var isManagedAndGone: Bool {
    guard let core, let binding = binding else { return false }
    if isGone(core) { return true }
    guard let table = try? binding.table(core), let exists = try? table.contains(key) else { return true }
    return !exists
  }
}
