// What models are declared with that need the Objective-C runtime: names that tell the compiler what to answer where they are used.

/// A number of a model declared with `@objc dynamic`, or none. Nothing finds such properties without the Objective-C runtime.
@available(*, unavailable, message: "It belongs to '@objc dynamic' models, which need the Objective-C runtime. Write '@Persisted var x: Int?'.")
public final class RealmOptional<Value> {
  /// The number; nil if there is none.
  public var value: Value?
  /// A property with a value.
  public init(_ value: Value? = nil) { self.value = value }
}

/// A value of a model declared with `@objc dynamic`, or none. Nothing finds such properties without the Objective-C runtime.
@available(*, unavailable, message: "It belongs to '@objc dynamic' models, which need the Objective-C runtime. Write '@Persisted var x: Int?'.")
public final class RealmProperty<Value> {
  /// Stops, read or set: there is no Objective-C runtime.
  public var value: Value {
    get { stop("RealmProperty needs the Objective-C runtime.") }
    set { stop("RealmProperty needs the Objective-C runtime.") }
  }
  /// A property with the default value of its type.
  public init() {}
}
