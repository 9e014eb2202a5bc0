// What debuggers and failing tests show: RQL, of long lists and texts the beginning. Not for `Constant`, whose text stands in messages.

extension Query: CustomDebugStringConvertible {
  package var debugDescription: String {
    var printer = QueryPrinter.brief(arguments)
    return printer.text(of: self).brief
  }
}

extension Condition: CustomDebugStringConvertible {
  package var debugDescription: String {
    var printer = QueryPrinter.brief()
    return printer.text(of: self).brief
  }
}

extension Comparison: CustomDebugStringConvertible {
  package var debugDescription: String { Condition.comparison(self).debugDescription }
}

extension Operand: CustomDebugStringConvertible {
  package var debugDescription: String {
    var printer = QueryPrinter.brief()
    return printer.text(of: self).brief
  }
}

extension QueryPath: CustomDebugStringConvertible {
  package var debugDescription: String { Operand.property(PropertyOperand(self)).debugDescription }
}

extension Descriptor: CustomDebugStringConvertible {
  package var debugDescription: String {
    var printer = QueryPrinter.brief()
    return printer.text(of: self).brief
  }
}
