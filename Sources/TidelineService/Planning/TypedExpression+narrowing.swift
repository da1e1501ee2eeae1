// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension TypedExpression {
    /// The same condition, with the box beside each distance that is asked for.
    ///
    ///     geo.distance(Location,geography'Point(10.7 59.9)') lt 5000
    ///     Lat ge 59.85 and Lat le 59.95 and Lng ge 10.6 and Lng le 10.8 and geo.distance(…) lt 5000
    ///
    /// A distance has to be computed for every row; numbers are looked up in an index. The box has all rows that are near
    /// enough, so that the rows of the condition stay the same, and it stands here, before the condition is evaluated or
    /// becomes SQL, so that all stores agree. Comparisons with constants need no ``Fence`` either.
    ///
    /// - Parameter type: the type of the rows.
    func narrowed(over type: EntityType) -> TypedExpression {
        var box: TypedExpression?
        for conjunct in conjuncts { box = .all(box, conjunct.box(over: type)) }
        return .all(box, self) ?? self
    }

    /// The box of a comparison that asks for what is nearer than some distance; `nil` for all else.
    private func box(over type: EntityType) -> TypedExpression? {
        guard case .binary(let name, let left, let right) = node else { return nil }
        let sides: (call: TypedExpression, limit: TypedExpression)
        switch name {
        case .lessThan, .lessOrEqual: sides = (left, right)
        case .greaterThan, .greaterOrEqual: sides = (right, left)
        default: return nil
        }
        guard case .call(.geoDistance, let arguments) = sides.call.node, arguments.count == 2,
            let distance = sides.limit.number,
            let point = arguments.lazy.compactMap({ $0.coordinates(in: type) }).first,
            let center = arguments.lazy.compactMap(\.position).first,
            let box = BoundingBox(around: center, within: distance)
        else { return nil }
        let latitudes = Self.within(box.latitudes, point.latitude, of: type)
        guard let longitudes = box.longitudes else { return latitudes }
        let ranges = longitudes.map { Self.within($0, point.longitude, of: type) }
        return latitudes.and(.any(ranges[...]))
    }

    /// The numbers of a point that is the row's own.
    private func coordinates(in type: EntityType) -> (latitude: Int, longitude: Int)? {
        guard case .path(let path) = node, path.navigations.isEmpty, path.up == 0,
            let names = type.properties[path.property].coordinates,
            let latitude = type.propertyIndex(wire: names.latitude),
            let longitude = type.propertyIndex(wire: names.longitude)
        else { return nil }
        return (latitude, longitude)
    }

    /// A position on the globe of WGS 84 that is the same for all rows.
    private var position: Geography.Position? {
        guard case .literal(.geography(let shape)) = node, shape.srid == 4326, !shape.isFlat,
            case .point(let position) = shape.shape
        else { return nil }
        return position
    }

    private var number: Double? {
        switch node {
        case .literal(.double(let number)): number
        case .literal(.integer(let number)): Double(number)
        case .literal(.decimal(let number)): Double(number.text)
        case .promote(let inner): inner.number
        default: nil
        }
    }

    private static func within(_ range: ClosedRange<Double>, _ place: Int, of type: EntityType) -> TypedExpression {
        let column = property(place, of: type)
        func compared(_ name: Expression.BinaryOperator, _ bound: Double) -> TypedExpression {
            TypedExpression(node: .binary(name, column, literal(.double(bound), .double)), type: .boolean)
        }
        return compared(.greaterOrEqual, range.lowerBound).and(compared(.lessOrEqual, range.upperBound))
    }
}
