import RealmStorage

extension ObjectSchema {
  var tableKind: TableKind { isEmbedded ? .embedded : isAsymmetric ? .asymmetric : .topLevel }
}
