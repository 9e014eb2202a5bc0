public import RealmSwift

extension AnyRealmCollection: RealmSubscribable {}
