/// Types whose queries can compare with `<` and its relatives. Public for technical reasons only, as all of these.
public protocol _QueryOrdered {}

/// Types whose queries can aggregate.
public protocol _QueryNumeric: _QueryOrdered {}

/// Types whose queries can compare text.
public protocol _QueryString: _QueryBinary {}

/// Types whose queries can look for parts.
public protocol _QueryBinary: _QueryOrdered {}
