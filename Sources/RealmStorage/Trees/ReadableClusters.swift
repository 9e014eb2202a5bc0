/// The clusters that can be reached in a damaged tree, each once.
package struct ReadableClusters {
  package enum Step {
    /// Keys of its objects are negative where the damage took them.
    case cluster(Cluster)
    /// A branch that cannot be followed, or keys that are lost.
    case damage(StorageError)
  }

  private static let depthLimit = 10
  private let space: NodeSpace
  private let leafIndexes: [Int]
  private let rowCount: (Node, Int?) -> Int?
  private var visited: Set<Ref> = []
  /// What was met, in key order.
  package private(set) var steps: [Step] = []

  /// - Parameters:
  ///   - leafIndexes: where clusters have the leaves of the columns.
  ///   - rowCount: how many objects a cluster has, as the leaves of its columns say beside the number that its keys say, which may be none;
  ///     nil if they do not say it.
  package init(_ space: NodeSpace, _ root: Ref, leafIndexes: [Int], rowCount: @escaping (Node, Int?) -> Int?) {
    (self.space, self.leafIndexes, self.rowCount) = (space, leafIndexes, rowCount)
    visit(root, offset: 0, depth: 0)
  }

  private mutating func visit(_ ref: Ref, offset: UInt64, depth: Int) {
    do throws(StorageError) {
      let node = try DamagedNodes.clusterNode(space, ref, leafIndexes)
      guard depth < ReadableClusters.depthLimit, visited.insert(ref).inserted else {
        throw node.broken("the cluster tree reaches a node more than once")
      }
      if node.header.isInner { try visitChildren(of: node, offset, depth) } else { visitCluster(node, offset) }
    } catch { steps.append(.damage(error)) }
  }

  private mutating func visitCluster(_ node: Node, _ offset: UInt64) {
    do throws(StorageError) {
      let cluster = try Cluster(space, node, offset: offset)
      if let count = rowCount(node, cluster.count), count != cluster.count { throw node.broken("\(cluster.count) keys for \(count) objects") }
      steps.append(.cluster(offset == Cluster.unknownOffset ? Cluster(withoutKeys: node, count: cluster.count) : cluster))
    } catch {
      steps.append(.damage(error))
      if let count = rowCount(node, nil) { steps.append(.cluster(Cluster(withoutKeys: node, count: count))) }
    }
  }

  private mutating func visitChildren(of node: Node, _ offset: UInt64, _ depth: Int) throws(StorageError) {
    _ = try ClusterInner.depth(of: node)
    do throws(StorageError) { try visitChildren(of: ClusterInner(space, node), offset, depth) } catch {
      // Its children are there, wherever their keys began.
      steps.append(.damage(error))
      for slot in ClusterInner.Slot.firstChild..<node.count { visitChild(node, slot, Cluster.unknownOffset, depth) }
    }
  }

  private mutating func visitChildren(of inner: ClusterInner, _ offset: UInt64, _ depth: Int) {
    for child in 0..<inner.childCount {
      let start = offset == Cluster.unknownOffset ? offset : offset &+ inner.offset(child)
      visitChild(inner.node, child + ClusterInner.Slot.firstChild, start, depth)
    }
  }

  private mutating func visitChild(_ node: Node, _ slot: Int, _ offset: UInt64, _ depth: Int) {
    do throws(StorageError) { visit(try node.child(slot), offset: offset, depth: depth + 1) } catch { steps.append(.damage(error)) }
  }
}
