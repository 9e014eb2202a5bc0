import RealmStorage

/// An operand whose type is known.
struct BoundOperand {
  var plan: OperandPlan
  var type: ValueType
  /// Quantifiers apply to it.
  var isList = false
  var quantifier: Quantifier?
  /// As messages print it.
  var text: String
  /// `text` without the quantifier.
  var pathText = ""
  /// May stand behind `IN`.
  var isIterable = false
  /// A stored list, set or dictionary of values, or elements of one.
  var isValueCollection = false
  /// Ends at links, one or several.
  var isLinkPath = false
  /// Links of which there may be several.
  var isLinkCollection = false
  /// The value under one key of a dictionary, or what keys and positions lead to within it.
  var isEntry = false
  /// A single property of the object itself.
  var isOwnColumn = false
  /// The links of a property of the object itself.
  var isOwnLink = false
  /// Computed from two lists, which has no meaning.
  var combinesLists = false
  /// The number of the argument that the constant was.
  var argument: Int?
  /// For links: the class that they lead to.
  var target: Table?
  /// Of a property of the object itself.
  var table: Table?

  /// Null, or a list of only it.
  var isNullConstant: Bool {
    if case .constants(let values) = plan, values.count == 1 { values[0].isNull } else { false }
  }
}
