extension Table {
  @inline(__always) func access(_ key: ColumnKey) throws(StorageError) -> ColumnAccess {
    let index = key.leafIndex
    guard index < state.access.count else { throw noSuchColumn(key) }
    let access = state.access[index]
    guard access.key == key else { throw noSuchColumn(key) }
    return access
  }
}
