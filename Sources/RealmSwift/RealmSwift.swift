// Without this, files of apps that came from CocoaPods do not compile: their models import nothing but RealmSwift, whose framework brought
// Foundation along.
@_exported public import Foundation
import RealmStorage

/// The version of the package, as `realm --version` prints it.
public let regnumVersion = projectVersion
