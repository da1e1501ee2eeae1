// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

extension Introspector {
    /// What columns of JSON hold.
    func json(_ shape: TableShape, _ properties: [Property]) throws -> [String: JSONContent] {
        var found: [String: JSONContent] = [:]
        for column in shape.columns where ["json", "jsonb"].contains(column.type.name) && column.type.kind == .base {
            let name = SQLToken.name(column.name)
            let table = "\(SQLToken.name(schema)).\(SQLToken.name(shape.name))"
            func texts(_ sql: String) throws -> Set<String> {
                Set(try connection.query(sql).compactMap { $0.string(0) })
            }
            found[column.name] = JSONContent(
                kinds: try texts(
                    "SELECT DISTINCT jsonb_typeof(\(name)::jsonb) FROM \(table) WHERE \(name) IS NOT NULL"
                ),
                items: try texts(
                    """
                    SELECT DISTINCT jsonb_typeof(e.item) FROM \(table) AS t CROSS JOIN LATERAL jsonb_array_elements(
                        CASE WHEN jsonb_typeof(t.\(name)::jsonb) = 'array' THEN t.\(name)::jsonb END) AS e(item)
                    """
                )
            )
        }
        return found
    }
}
