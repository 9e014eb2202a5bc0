extension Table {
  /// Starts a walk through the clusters of all live objects.
  package func clusterWalk() -> ClusterWalk { ClusterWalk(space, root: state.live.root) }

  /// The cluster and row of a live object; nil if there is none.
  package func cluster(of key: ObjectKey) throws(StorageError) -> (cluster: Cluster, row: Int)? {
    key.rawValue < 0 ? nil : try ClusterTree.find(space, state.live.root, key)
  }
}
