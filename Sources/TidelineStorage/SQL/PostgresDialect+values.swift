// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// Patterns, casts and JSON.
extension PostgresDialect {
    package func matches(_ text: SQLFragment, _ pattern: String) -> SQLFragment {
        // The checker took the pattern, so that it is one.
        guard let compiled = Pattern.compiled(pattern) else { return "NULL" }
        return "(\(binaryText(text)) ~ \(bind: .text(compiled.postgresText)))"
    }

    package func cast(
        _ value: SQLFragment,
        from source: PrimitiveType,
        to target: PrimitiveType
    ) -> SQLFragment {
        let types: SQLFragment = "'\(raw: source.rawValue)', '\(raw: target.rawValue)'"
        return "(tideline.cast_value((\(value))::text, \(types))::\(raw: Self.computedType(target)))"
    }

    package func jsonValue(_ json: SQLFragment, at names: [String], as type: PrimitiveType) -> SQLFragment {
        let value: SQLFragment = "tideline.json_value(\(json), '\(raw: type.rawValue)', \(path(names)))"
        return "(\(value)::\(raw: Self.computedType(type)))"
    }

    package func jsonText(_ json: SQLFragment, at names: [String]) -> SQLFragment {
        "tideline.json_text(\(json), \(path(names)))"
    }

    package func keys(_ value: SQLFragment) -> SQLFragment { "COALESCE(json_agg(\(value))::text, '[]')" }

    package func sum(_ value: SQLFragment, _ type: PrimitiveType) -> SQLFragment {
        switch type {
        case .double, .single: "sum(\(value))"
        case .decimal: "tideline.decimal_fit(sum(\(value)))"
        default: "tideline.as_bigint(sum((\(value))::numeric))"
        }
    }

    package func average(_ value: SQLFragment, _ type: PrimitiveType) -> SQLFragment {
        switch type {
        // Not avg(), which fails where the sum of the squares is too large.
        case .double, .single: "(sum(\(value)) / nullif(count(\(value)), 0))"
        default:
            "tideline.decimal_divide(tideline.decimal_fit(sum((\(value))::numeric)), count(\(value))::numeric)"
        }
    }

    private func path(_ names: [String]) -> SQLFragment {
        "ARRAY[\(SQLFragment(names.map { SQLFragment(bind: .text($0)) }, separator: ", "))]::text[]"
    }

    package func elements(of array: SQLFragment, as alias: String) -> SQLFragment {
        "tideline.json_items(\(array)) AS \(raw: alias)(item)"
    }

    package func item(of array: SQLFragment, at place: Int) -> SQLFragment {
        let index = place < 0 ? "cardinality(l.items) + 1 + \(place)" : "\(place) + 1"
        let items: SQLFragment = "SELECT array_agg(i.item) AS items FROM tideline.json_items(\(array)) AS i(item)"
        return "(SELECT l.items[\(raw: index)] FROM (\(items)) AS l)"
    }

    package func element(of array: SQLFragment, as alias: String) -> SQLFragment {
        "\(raw: alias).item"
    }
}
