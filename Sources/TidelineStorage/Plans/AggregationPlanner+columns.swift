// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Columns that a result has for later transformations or for its order.
extension AggregationPlanner {
    /// Adds values behind other navigation properties that later transformations name, of the entity itself or of the
    /// related one.
    func addPaths(
        _ alias: String,
        _ target: EntitySet?,
        _ inner: [Transformation],
        _ columns: inout [AggregationPlan.Column],
        _ values: inout [TypedExpression]
    ) {
        for path in rest.joined().flatMap(\.paths) + inner.flatMap(\.paths).map({ [alias] + $0 })
        where (path.first == alias) == (target != nil) && !columns.contains(where: { $0.path == path }) {
            let over = target ?? set
            let names = target == nil ? path : Array(path.dropFirst())
            let checker = target.map { ExpressionChecker(model: model, set: $0) } ?? checker()
            guard let found = try? checker.check(.path(names)), case .path(let way) = found.node,
                !way.navigations.isEmpty
            else { continue }
            let value = guards.guarded(found, [over])
            var column = Self.result(path, value)
            column.isHidden = true
            columns.append(column)
            values.append(value)
        }
    }

    /// An order over entities as one over columns; what is no column becomes one that is not shown.
    static func sorted(
        _ order: [ReadPlan.SortKey],
        _ columns: inout [AggregationPlan.Column],
        _ values: inout [TypedExpression]
    ) -> [ReadPlan.SortKey] {
        var sorted: [ReadPlan.SortKey] = []
        for key in order {
            var place = values.firstIndex(of: key.expression)
            if place == nil {
                var column = result(["$orderby", "\(columns.count)"], key.expression)
                column.isHidden = true
                values.append(key.expression)
                columns.append(column)
                place = columns.count - 1
            }
            if let place {
                sorted.append(.init(self.column(place, columns[place]), isDescending: key.isDescending))
            }
        }
        return sorted
    }
}
