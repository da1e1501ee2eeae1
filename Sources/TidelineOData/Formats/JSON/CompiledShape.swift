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
        /// A number that names members, or the names themselves.
        case enumeration
        /// JSON as it is.
        case json
        /// JSON as it is; null is an empty array.
        case jsonArray
        /// Well-known text as GeoJSON.
        case spatial
    }

    struct Column {
        /// `"Name":` or `,"Name":`.
        var lead: [UInt8]
        var form: Form
        var shape: RowShape.Column
        /// The default as it is written, where a value that equals it is left out.
        var omitted: [UInt8]?
    }

    struct Expansion {
        /// `"Lines":` or `,"Lines":`.
        var lead: [UInt8]
        /// Whether a member stands before it.
        var startsWithComma: Bool
        var shape: CompiledShape
        var source: RowShape.Expansion
        var isCollection: Bool { source.isCollection }
    }

    let source: RowShape
    let columns: [Column]
    /// What stands before each column's value, for the rows that are written at once.
    let leads: LeadTable
    let expansions: [Expansion]
    /// Whether rows have an ETag.
    let hasETag: Bool
    /// Whether a row is gathered before it is written, for its members depend on one another.
    let isCaptured: Bool
    /// Whether rows are written as references alone.
    let isReference: Bool
    /// What the rows' objects are called.
    let names: ControlNames

    init(_ shape: RowShape, format: JSONFormat, isReference: Bool = false) {
        source = shape
        self.isReference = isReference
        names = ControlNames(format)
        let prefix = format.version.controlPrefix
        let hasETag = shape.includesETag && format.metadata != .none && !isReference
        self.hasETag = hasETag
        isCaptured =
            isReference || shape.namesType || format.metadata == .full || format.omits != nil || format.refersToEntities
            || shape.derivation != nil
            || shape.columns.contains {
                $0.container != nil || $0.isHidden || $0.transform != nil || $0.form == .dynamic
            }
            || shape.expansions.contains { $0.rest != nil }
        var isFirst = !hasETag
        func lead(_ name: String) -> [UInt8] {
            defer { isFirst = false }
            return Array("\(isFirst ? "" : ",")\(JSONText.quoted(name)):".utf8)
        }
        let names = names
        let columns = shape.columns.map { column in
            var front: [UInt8] = []
            if let type = column.toldType(format.metadata) {
                front = lead(names.control("type", of: column.name)) + JSONText.quoted(names.type(type)).utf8
            }
            return Column(
                lead: front + lead(column.name),
                form: Self.form(of: column, format),
                shape: column,
                omitted: Self.omitted(column, format)
            )
        }
        self.columns = columns
        leads = LeadTable(
            columns.map { ($0.lead, $0.form) },
            etag: hasETag ? (Array("\"@\(prefix)etag\":\"W/\\\"".utf8), Array("\\\"\"".utf8)) : nil
        )
        expansions = shape.expansions.map { expansion in
            let name = expansion.name
            let isCount = expansion.content == .count
            let startsWithComma = !isFirst
            var expansionLead: [UInt8] = []
            if let context = expansion.context, format.metadata != .none {
                expansionLead = lead(names.control("context", of: name)) + JSONText.quoted(context).utf8
            }
            expansionLead += lead(name)
            return Expansion(
                lead: isCount ? [] : expansionLead,
                startsWithComma: startsWithComma,
                shape: CompiledShape(expansion.shape, format: format, isReference: expansion.content == .references),
                source: expansion
            )
        }
    }

    /// The default of a column as it is written, or `nil` where it is not left out.
    private static func omitted(_ column: RowShape.Column, _ format: JSONFormat) -> [UInt8]? {
        guard format.omits == .defaults, column.keyPlace == nil, let value = column.defaultValue else { return nil }
        let output = ByteWriter(capacity: 32)
        if case .enumeration(let type) = column.form, case .integer(let number) = value {
            output.appendQuoted(type.text(of: number))
        } else {
            output.append(value: value, type: column.type, format: format)
        }
        return output.bytes
    }

    static func form(of column: RowShape.Column, _ format: JSONFormat) -> Form {
        switch column.form {
        case .primitive: form(of: column.type, format)
        case .enumeration: .enumeration
        case .json, .dynamic: .json
        case .jsonArray: .jsonArray
        case .spatial: .spatial
        }
    }

    private static func form(of type: PrimitiveType, _ format: JSONFormat) -> Form {
        switch type {
        case .string: .escaped
        case .boolean, .byte, .sbyte, .int16, .int32, .double, .single: .bare
        case .int64, .decimal: format.ieee754Compatible ? .quoted : .bare
        default: .quoted
        }
    }
}
