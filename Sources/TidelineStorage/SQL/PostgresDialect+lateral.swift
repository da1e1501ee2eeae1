// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

extension PostgresDialect {
    /// The SELECT of many rows outside at once, whose values are arrays: `k` numbers them in its column `n`.
    ///
    ///     SELECT k.n, … FROM unnest($1::bigint[]) WITH ORDINALITY AS k(k0, n)
    ///     without limits   CROSS JOIN orders AS t0 … WHERE t0.client = k.k0 ORDER BY k.n, …
    ///     with limits      CROSS JOIN LATERAL (SELECT … WHERE t0.client = k.k0 ORDER BY … LIMIT …) AS x
    ///
    /// The first leaves the way of joining to the planner; the second runs the inner query for each row outside, whose
    /// rows stay together and in their order.
    package func select(_ parts: SelectParts) -> SQLFragment {
        guard isLateral else { return plainSelect(parts) }
        let places = parts.parameters.indices
        let arrays = places.map { "$\($0 + 1)::\(keyType(parts.parameters[$0]))[]" }.joined(separator: ", ")
        let names = (places.map { "k\($0)" } + ["n"]).joined(separator: ", ")
        let keys = SQLFragment(raw: "unnest(\(arrays)) WITH ORDINALITY AS k(\(names))")
        guard parts.limit == nil, parts.skip == 0, !parts.columns.isEmpty else {
            return "SELECT k.n, x.* FROM \(keys) CROSS JOIN LATERAL (\(plainSelect(parts))) AS x"
        }
        var joined = parts
        joined.columns.insert("k.n", at: 0)
        joined.from = "\(keys) CROSS JOIN \(parts.from)"
        joined.order.insert("k.n", at: 0)
        guard parts.columns == ["COUNT(*)"] else { return plainSelect(joined) }
        joined.order = []
        return "\(plainSelect(joined)) GROUP BY k.n"
    }

    /// The type of a property's values in arrays of keys.
    package func keyType(_ property: Property) -> String {
        guard property.storage == .native || property.storage == .memberName else {
            return switch property.storage {
            case .decimalScaled, .unixSeconds, .unixMilliseconds: "bigint"
            case .guidBlob: "bytea"
            case .decimalText: "numeric"
            case .julianDay: "double precision"
            default: "text"
            }
        }
        return switch property.type {
        case .date: "date"
        case .dateTimeOffset: "timestamptz"
        case .timeOfDay: "time"
        case .duration: "interval"
        default: Self.computedType(property.type)
        }
    }
}
