extension RealmCore {
  /// Stores the values of an object whose row is there, and then those of the objects that had to wait for it.
  func fillRow(_ fill: () throws -> Void) throws {
    waitingRows.begin()
    defer { waitingRows.end() }
    try fill()
    var next = waitingRows.take()
    while !next.isEmpty {
      for fill in next { try fill() }
      next = waitingRows.take()
    }
  }
}
