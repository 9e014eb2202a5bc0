/// Configures the recording of events, which needs sync: a realm with it is refused when it is opened.
public struct EventConfiguration: Sendable {
  /// Receives what the recording of events reports.
  public typealias LoggerFunction = @Sendable (LogLevel, String) -> Void

  /// Would be sent with every event.
  public var metadata: [String: String]?
  /// The beginning of the names of the partitions that events go to.
  public var partitionPrefix: String
  /// Would receive what the recording of events reports.
  public var logger: LoggerFunction?
  /// Would be called when recording fails.
  public var errorHandler: (@Sendable (any Swift.Error) -> Void)?

  /// Settings for the recording of events, so that code which makes them compiles.
  public init(
    metadata: [String: String]? = nil, partitionPrefix: String = "events", logger: LoggerFunction? = nil,
    errorHandler: (@Sendable (any Swift.Error) -> Void)? = nil
  ) {
    self.metadata = metadata
    self.partitionPrefix = partitionPrefix
    self.logger = logger
    self.errorHandler = errorHandler
  }
}
