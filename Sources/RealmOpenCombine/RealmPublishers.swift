#if !canImport(OpenCombine)
  #error("RealmOpenCombine needs the trait 'OpenCombine' of regnum: .package(…, traits: [\"Encryption\", \"OpenCombine\"])")
#endif

/// The publishers of changes of realms, objects and collections: what `collectionPublisher`, `changesetPublisher`, `valuePublisher` and
/// `objectWillChange` return, and the operators on them.
///
/// All of them publish in the confinement of what they observe unless they are told to `subscribe(on:)` a queue, and observe from the moment of the
/// subscription until it is cancelled. A subscriber is sent no more than it has asked for: while it has not, whatever is committed becomes one change,
/// which it is sent when it asks again. The version that it was sent last stays in the file until then.
public enum RealmPublishers {}
