/// Types whose queries can compare by order and aggregate.
public protocol _QueryNumeric {}
/// Types whose queries can compare text.
public protocol _QueryString: _QueryBinary {}
/// Types whose queries can look for parts.
public protocol _QueryBinary {}
