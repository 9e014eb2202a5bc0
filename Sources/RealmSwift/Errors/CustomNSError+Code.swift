public import Foundation

// `NSError.code` is a number, and a subclass cannot have a property of that name with another type. An extension of a protocol can; since
// `Realm.Error` disfavours its own, `error.code` is this one wherever the context does not ask for a number.
extension CustomNSError where Self == Realm.Error {
  /// What kind of failure it is.
  public var code: Realm.Error.Code { Realm.Error.Code(rawValue: errorCode) ?? .fail }
}
