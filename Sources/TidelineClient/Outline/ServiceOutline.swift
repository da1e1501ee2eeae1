// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// The schema of a service as a tree of two columns, for a browser of schemas.
///
///     Shop                     <virtual element>
///       TABLES (2)             <virtual element>
///         Clients
///           Fields (2)         <virtual element>
///             ClientId         Edm.Guid, key
///             ClientName       Edm.String(80)
///       COMMANDS (1)           <virtual element>
///         Close                action
public struct ServiceOutline: Hashable, Sendable {
    /// One line of the tree.
    public struct Item: Hashable, Sendable, Identifiable {
        /// What the line stands for: the icon of its first column.
        public enum Kind: String, Hashable, Sendable {
            case collection, table, keyField, regularField, command
        }

        /// The titles from the root on, which tell the line from all others.
        public var id: [String]
        public var kind: Kind
        /// The first column: `TABLES (2)`, `Clients`.
        public var title: String
        /// The second column.
        public var note: String
        public var children: [Item]
    }

    /// The note of a line that stands for no element of the schema.
    public static let virtual = "<virtual element>"

    /// The one line at the top.
    public let root: Item

    /// The outline of a model, as `ODataClient.model()` gives it; everything stands in the order of the model.
    public init(_ model: EntityModel) {
        let top = [model.namespace]
        let sets = model.sets.filter { !$0.isContained }
        let tables = Self.virtual("TABLES (\(sets.count))", top) { path in
            sets.map { Self.table($0, path) }
        }
        var seen: Set<String> = []
        let commands = model.operations.filter { !$0.isBound && seen.insert($0.names.wire).inserted }
        let calls = Self.virtual("COMMANDS (\(commands.count))", top) { path in
            commands.map { command in
                Item(
                    id: path + [command.names.wire],
                    kind: .command,
                    title: command.names.wire,
                    note: command.description ?? command.kind.rawValue,
                    children: []
                )
            }
        }
        root = Item(id: top, kind: .collection, title: model.namespace, note: Self.virtual, children: [tables, calls])
    }

    /// All lines from the top down, each with its depth: what a list shows when everything is open.
    public var lines: [(depth: Int, item: Item)] {
        func lines(_ item: Item, _ depth: Int) -> [(depth: Int, item: Item)] {
            [(depth, item)] + item.children.flatMap { lines($0, depth + 1) }
        }
        return lines(root, 0)
    }

    private static func virtual(_ title: String, _ path: [String], _ children: ([String]) -> [Item]) -> Item {
        let id = path + [title]
        return Item(id: id, kind: .collection, title: title, note: virtual, children: children(id))
    }

    private static func table(_ set: EntitySet, _ path: [String]) -> Item {
        let id = path + [set.names.wire]
        let type = set.type
        let fields = virtual("Fields (\(type.properties.count))", id) { path in
            type.properties.indices.map { place in
                let property = type.properties[place]
                let isKey = type.key.contains(place)
                return Item(
                    id: path + [property.names.wire],
                    kind: isKey ? .keyField : .regularField,
                    title: property.names.wire,
                    note: note(property, isKey: isKey),
                    children: []
                )
            }
        }
        return Item(
            id: id,
            kind: .table,
            title: set.names.wire,
            note: set.description ?? type.description ?? "",
            children: [fields]
        )
    }

    private static func note(_ property: Property, isKey: Bool) -> String {
        var text = property.enumeration ?? property.type.rawValue
        if let length = property.maxLength {
            text += "(\(length))"
        } else if property.type == .decimal, let precision = property.precision {
            text += "(\(precision)\(property.scale.map { ",\($0)" } ?? ""))"
        }
        if isKey { text += ", key" }
        if !property.isNullable, !isKey { text += ", required" }
        if let description = property.description { text += ": \(description)" }
        return text
    }
}

extension ODataClient {
    /// The outline of the service's schema, downloaded now.
    ///
    /// - Throws: ``ClientError``.
    public func outline() async throws -> ServiceOutline { ServiceOutline(try await model()) }
}
