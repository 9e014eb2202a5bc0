import Foundation
import RealmStorage

extension Value {
  /// The object that a value of a property, list or dictionary leads to.
  var linkTarget: ObjectKey? {
    switch self {
    case .link(let key): key
    case .typedLink(let link): link.key
    default: nil
    }
  }
}
