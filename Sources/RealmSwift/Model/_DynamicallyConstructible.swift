/// What lets generic code write `T()` for a model class `T`, and `type.init()` for a class that is known at run time only, although `init()` of
/// the model classes is not required: Swift takes the initialiser below where it cannot take that one, and that one wherever it can, as one that
/// needs no default arguments. Public for technical reasons only.
public nonisolated protocol _DynamicallyConstructible: AnyObject {}

extension _DynamicallyConstructible where Self: ObjectBase {
  /// Calls `init()` as the class overrides it. Public for technical reasons only.
  public nonisolated init(_dynamically: Void = ()) { self.init(_alsoOverrideInit: ()) }
}
