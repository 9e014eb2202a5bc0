import RealmStorage

extension Binder {
  mutating func bindGeo(_ property: PropertyOperand, _ operand: GeoOperand, in table: Table) throws(QueryError) -> GeoPlan {
    let path = try resolve(property.path, in: table)
    let offset = property.path.offset
    guard path.column == nil, property.operation == nil, !path.isBacklinkCount else {
      let type = path.column.map { ValueType($0).name } ?? "int"
      throw .query(
        "The left hand side of 'geoWithin' must be a link to geoJSON formatted data. But the provided type is '\(type)'", at: offset)
    }
    let chain = HopChain(hops: path.hops)
    if let quantifier = property.quantifier, chain.isToOne {
      throw .query("The keypath following '\(quantifier.keyword)' must contain a list", at: offset)
    }
    let (shape, region) = try bindRegion(operand, offset)
    let type = path.table.publicColumns.first { $0.text == "type" }
    let coordinates = path.table.publicColumns.first { $0.text == "coordinates" }
    guard let type, let coordinates, type.type == .string, !type.isCollection, coordinates.type == .double, coordinates.isList else {
      throw .invalid(
        .exception(name: "none"),
        message: "Query '\(path.text) GEOWITHIN \(shape.text)' links to data in the wrong format for a geoWithin query", offset: offset)
    }
    guard path.table.kind == .embedded || scope.acceptsTopLevelPoints else {
      throw .invalid(
        .exception(name: "none"),
        message: "A GEOWITHIN query can only operate on a link to an embedded class but '\(path.table.className)' is at the top level",
        offset: offset)
    }
    return GeoPlan(
      chain: chain, typeColumn: type, coordinatesColumn: coordinates, region: region, quantifier: property.quantifier ?? .any,
      space: scope.group.space)
  }

  private func bindRegion(_ operand: GeoOperand, _ offset: Int?) throws(QueryError) -> (GeoShape, SphereRegion) {
    switch operand {
    case .shape(let shape):
      do throws(SphereRegion.Invalid) { return (shape, try SphereRegion(shape)) } catch {
        throw .argument("Invalid region in GEOWITHIN query for parameter '\(shape.text)': '\(error.reason)'", at: offset)
      }
    case .argument(let index):
      let shape = try shapeArgument(index, offset)
      do throws(SphereRegion.Invalid) { return (shape, try SphereRegion(shape)) } catch {
        throw .query("The Geospatial query argument region is invalid: '\(error.reason)'", at: offset)
      }
    }
  }

  private func shapeArgument(_ index: Int, _ offset: Int?) throws(QueryError) -> GeoShape {
    func wrong(_ type: String) -> QueryError {
      .query("The right hand side of 'geoWithin' must be a geospatial constant value. But the provided type is '\(type)'", at: offset)
    }
    switch try scope.arguments.at(index, offset) {
    case .geo(let shape): return shape
    case .value(.string(let text)):
      do throws(QueryError) {
        var parser = try Parser(String(decoding: text, as: UTF8.self), scope.arguments)
        return try parser.onlyShape()
      } catch {
        throw .query("Invalid syntax in serialized geospatial object at argument \(index): '\(error.message)'", at: offset)
      }
    case .value(let value): throw wrong(value.typeName)
    case .list: throw wrong("list")
    case .detachedObject: throw wrong("link")
    }
  }
}
