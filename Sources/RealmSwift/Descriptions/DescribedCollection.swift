import Foundation
import RealmStorage

/// A collection that describes itself with a limit on the depth.
protocol DescribedCollection {
  func describe(depth: Int) -> String
}

extension Results: DescribedCollection { func describe(depth: Int) -> String { CollectionText.describe(self, depth: depth) } }
extension List: DescribedCollection { func describe(depth: Int) -> String { CollectionText.describe(self, depth: depth) } }
extension MutableSet: DescribedCollection { func describe(depth: Int) -> String { CollectionText.describe(self, depth: depth) } }
extension LinkingObjects: DescribedCollection { func describe(depth: Int) -> String { CollectionText.describe(self, depth: depth) } }
extension AnyRealmCollection: DescribedCollection { func describe(depth: Int) -> String { CollectionText.describe(self, depth: depth) } }
extension Map: DescribedCollection { func describe(depth: Int) -> String { CollectionText.describe(self, depth: depth) } }
