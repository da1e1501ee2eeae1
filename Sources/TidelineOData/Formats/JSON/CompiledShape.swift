// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// A shape made ready for writing: the bytes in front of each value, and how the value is written.
final class CompiledShape {
    /// How the value of a column is written.
    enum Form {
        /// Numbers, Booleans: as they are.
        case bare
        /// Within quotes, nothing to escape: dates, GUIDs, Int64 under IEEE754Compatible.
        case quoted
        /// A string.
        case escaped
    }

    struct Column {
        /// `"Name":` or `,"Name":`.
        var lead: [UInt8]
        var form: Form
    }

    struct Expansion {
        /// `"Lines":` or `,"Lines":`.
        var lead: [UInt8]
        /// `,"Lines@odata.count":`.
        var countLead: [UInt8]
        var isCollection: Bool
        var shape: CompiledShape
    }

    let columns: [Column]
    let expansions: [Expansion]
    /// `"@odata.etag":"W/\"` and the rest of the ETag after the hole; empty where rows have none.
    let etagLead: [UInt8]
    let etagTail: [UInt8]

    init(_ shape: RowShape, format: JSONFormat) {
        let prefix = format.version.controlPrefix
        let hasETag = shape.includesETag && format.metadata != .none
        etagLead = hasETag ? Array("\"@\(prefix)etag\":\"W/\\\"".utf8) : []
        etagTail = hasETag ? Array("\\\"\"".utf8) : []
        var isFirst = !hasETag
        func lead(_ name: String) -> [UInt8] {
            defer { isFirst = false }
            return Array("\(isFirst ? "" : ",")\(JSONText.quoted(name)):".utf8)
        }
        columns = shape.columns.map { column in
            let form: Form =
                switch column.type {
                case .string: .escaped
                case .boolean, .byte, .sbyte, .int16, .int32, .double, .single: .bare
                case .int64, .decimal: format.ieee754Compatible ? .quoted : .bare
                default: .quoted
                }
            return Column(lead: lead(column.name), form: form)
        }
        expansions = shape.expansions.map { expansion in
            let name = expansion.name
            return Expansion(
                lead: lead(name),
                countLead: Array(",\(JSONText.quoted("\(name)@\(prefix)count")):".utf8),
                isCollection: expansion.isCollection,
                shape: CompiledShape(expansion.shape, format: format)
            )
        }
    }
}
