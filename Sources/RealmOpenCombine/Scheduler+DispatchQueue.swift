import Dispatch
import OpenCombine
import OpenCombineDispatch

extension Scheduler {
  /// The dispatch queue that a scheduler stands for.
  var dispatchQueue: DispatchQueue? { (self as? DispatchQueue.OCombine)?.queue ?? (self as? DispatchQueue) }
}
