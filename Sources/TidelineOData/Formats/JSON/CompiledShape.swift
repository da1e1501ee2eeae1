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
            isReference || shape.namesType || format.metadata == .full || format.omitsNulls || shape.derivation != nil
            || shape.columns.contains {
                $0.container != nil || $0.isHidden || $0.transform != nil || $0.form == .dynamic
            }
            || shape.expansions.contains { $0.pageLimit != nil }
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
            return Column(lead: front + lead(column.name), form: Self.form(of: column, format), shape: column)
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

/// The names of control information in one format.
struct ControlNames {
    let version: ODataVersion
    let metadata: JSONFormat.Metadata
    let omitsNulls: Bool

    init(_ format: JSONFormat) {
        version = format.version
        metadata = format.metadata
        omitsNulls = format.omitsNulls
    }

    /// `@odata.id`, or `Name@odata.type` with a property.
    func control(_ name: String, of property: String = "") -> String { "\(property)@\(version.controlPrefix)\(name)" }

    /// A dynamic value with its control information under the names of the version; without it where none is wanted.
    func renamed(_ tree: JSONTree) -> JSONTree {
        switch tree {
        case .list(let items): return .list(items.map(renamed))
        case .object(let members):
            // A database may keep the members in another order; what is said of a value stands before it.
            var first: [(String, JSONTree)] = []
            var told: [String: [(String, JSONTree)]] = [:]
            for (name, value) in members where metadata != .none {
                switch ControlName(name) {
                case .control(let term) where !term.contains("."): first.append((control(term), value))
                case .annotation(let property, let term) where !term.contains("."):
                    told[property, default: []].append((control(term, of: property), value))
                default: break
                }
            }
            for (name, value) in members {
                switch ControlName(name) {
                case .control(let term) where !term.contains("."), .annotation(_, let term) where !term.contains("."):
                    break
                default: first += (told.removeValue(forKey: name) ?? []) + [(name, renamed(value))]
                }
            }
            return .object(first + told.sorted { $0.key < $1.key }.flatMap(\.value))
        default: return tree
        }
    }

    /// A type's name as a value of control information: 4.01 drops the hash sign of primitive types.
    func type(_ name: String) -> String {
        let isPrimitive = !name.contains(".")
        return version == .v401 && isPrimitive ? name : "#\(name)"
    }
}
