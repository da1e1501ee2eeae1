// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Looks at every table and view of a schema and makes a model of them.
///
///     catalog ─► keys ─► types ─► one pass over the values that may not fit ─► names ─► navigation properties
struct Introspector {
    let connection: PostgresConnection
    let schema: String
    let namespace: String
    let viewKeys: [String: [String]]
    /// Tables that are left out on purpose.
    let skipping: Set<String>
    private var problems: [Introspection.Problem] = []
    private var enumerations = Enumerations([:])

    init(
        connection: PostgresConnection,
        schema: String,
        namespace: String,
        viewKeys: [String: [String]],
        skipping: Set<String>
    ) {
        self.connection = connection
        self.schema = schema
        self.namespace = namespace
        self.viewKeys = viewKeys
        self.skipping = skipping
    }

    mutating func run() throws -> Introspection {
        let catalog = Catalog(connection: connection, schema: schema)
        enumerations = Enumerations(try catalog.enumerations())
        let shapes = try catalog.shapes()
        problems += Introspection.unknown(skipping, among: shapes.map(\.name))
        var drafts: [TableDraft] = []
        for shape in shapes where !skipping.contains(shape.name) {
            if let draft = try draft(shape) { drafts.append(draft) }
        }
        for view in viewKeys.keys.sorted() where !drafts.contains(where: { $0.name == view && $0.isReadOnly }) {
            if !problems.contains(where: { $0.table == view }) {
                refuse(view, "A key is given for the view \(view), but there is no such view.")
            }
        }
        var found = ModelAssembly.introspection(
            drafts,
            namespace: namespace,
            takenTypes: enumerations.types.map(\.names.wire),
            ignoresCase: false,
            problems: problems
        )
        found.model.enumerations = enumerations.types
        return found
    }

    private mutating func refuse(_ table: String, _ message: String, stops: Bool = true) {
        problems.append(.refusal(table, message, stops: stops))
    }

    private mutating func draft(_ shape: TableShape) throws -> TableDraft? {
        if let reason = Self.reasonToLeaveOut(shape) {
            refuse(shape.name, "\(shape.name) \(reason); it is left out.", stops: false)
            return nil
        }
        guard shape.isView || shape.isOwned else {
            refuse(
                shape.name,
                "\(shape.name) belongs to \(shape.owner): only its owner may add change capture to it. Publish as "
                    + "\(shape.owner), or as a member of that role."
            )
            return nil
        }
        guard let key = key(shape) else { return nil }
        guard let properties = try properties(shape, key: key) else { return nil }
        guard try !shape.isView || keyIsSound(shape, key: key) else { return nil }
        return TableDraft(
            name: shape.name,
            isReadOnly: shape.isView,
            key: key,
            properties: properties,
            uniqueColumns: shape.uniqueIndexes.map(\.columns),
            foreignKeys: shape.isView ? [] : shape.foreignKeys,
            description: shape.description
        )
    }

    private static func reasonToLeaveOut(_ shape: TableShape) -> String? {
        if shape.kind == .foreignTable { return "is a foreign table, whose changes cannot be captured" }
        if shape.isUnlogged { return "is UNLOGGED: a crash would empty it unseen (ALTER TABLE … SET LOGGED)" }
        if shape.hasChildren { return "has tables that inherit from it, whose rows have no common key" }
        return nil
    }

    /// The columns of the key, or `nil` after saying why there is none.
    private mutating func key(_ shape: TableShape) -> [String]? {
        if shape.isView {
            guard let given = viewKeys[shape.name] else {
                refuse(
                    shape.name,
                    "The view \(shape.name) has no key, so it is left out; name its key with --key \(shape.name)=Column,…",
                    stops: false
                )
                return nil
            }
            if let missing = given.first(where: { name in !shape.columns.contains { $0.name == name } }) {
                refuse(shape.name, "The view \(shape.name) has no column \(missing), which was given as its key.")
                return nil
            }
            return given
        }
        if !shape.primaryKey.isEmpty { return shape.primaryKey }
        let candidate = shape.uniqueIndexes.first { index in
            index.columns.allSatisfy { name in shape.columns.contains { $0.name == name && $0.isNotNull } }
        }
        if let candidate { return candidate.columns }
        refuse(
            shape.name,
            "The table \(shape.name) has no key. Give it a PRIMARY KEY, or a unique index over columns that are NOT NULL."
        )
        return nil
    }

    /// Chooses the types and counts what does not fit them.
    ///
    /// `nil` after saying what does not.
    private mutating func properties(_ shape: TableShape, key: [String]) throws -> [Property]? {
        var names = WireNames()
        var properties: [Property] = []
        var doubts: [(column: String, condition: String, name: String)] = []
        var isSound = true
        for column in shape.columns {
            let isKey = key.contains(column.name)
            guard let choice = choose(column) else {
                if isKey {
                    refuse(
                        shape.name,
                        "\(shape.name): the column \(column.name) is a key of the type \(column.declaredType), "
                            + "which OData does not have."
                    )
                    isSound = false
                } else {
                    note(
                        shape,
                        column,
                        "is of the type \(column.declaredType), which OData does not have; it is left out"
                    )
                }
                continue
            }
            if isKey, choice.structure != nil || !choice.type.isKeyType {
                refuse(
                    shape.name,
                    "\(shape.name): the column \(column.name) is a key, but \(column.declaredType) cannot be one."
                )
                isSound = false
                continue
            }
            if let text = choice.note { note(shape, column, text) }
            if let misfit = choice.misfit { doubts.append((column.name, misfit.condition, misfit.name)) }
            if isKey, shape.isView {
                doubts.append((column.name, "\(SQLToken.name(column.name)) IS NULL", "nulls, though it is a key"))
            }
            properties.append(property(column, choice, shape: shape, isKey: isKey, names: &names))
        }
        return try isSound && fits(shape, doubts) ? properties : nil
    }

    private mutating func note(_ shape: TableShape, _ column: TableShape.Column, _ text: String) {
        problems.append(.note(shape.name, "\(shape.name): the column \(column.name) \(text)."))
    }

    private mutating func choose(_ column: TableShape.Column) -> TypeChoice? {
        guard column.type.kind == .enumeration else {
            return TypeChoice.choose(column.type, column: SQLToken.name(column.name))
        }
        // Its name is found again by the property.
        if enumerations.type(column.type.identifier) != nil {
            return TypeChoice(type: .int32, storage: .memberName)
        }
        return nil
    }

    /// Reads the table once and counts the values that do not fit.
    private mutating func fits(
        _ shape: TableShape,
        _ doubts: [(column: String, condition: String, name: String)]
    ) throws -> Bool {
        guard !doubts.isEmpty else { return true }
        let counts = doubts.map { "count(*) FILTER (WHERE \($0.condition))" }.joined(separator: ", ")
        let row = try connection.query("SELECT \(counts) FROM \(SQLToken.name(schema)).\(SQLToken.name(shape.name))")[0]
        var isSound = true
        for (place, doubt) in doubts.enumerated() {
            guard let count = row.integer(place), count > 0 else { continue }
            refuse(
                shape.name,
                "\(shape.name): the column \(doubt.column) holds \(count) \(doubt.name); "
                    + "make its values agree, then publish again."
            )
            isSound = false
        }
        return isSound
    }

    private mutating func property(
        _ column: TableShape.Column,
        _ choice: TypeChoice,
        shape: TableShape,
        isKey: Bool,
        names: inout WireNames
    ) -> Property {
        let wire = names.unique(column.name)
        var property = Property(
            names: Names(wire: wire, code: WireNames.code(wire, capital: false), database: column.name),
            type: choice.type,
            isNullable: !isKey && !column.isNotNull,
            maxLength: choice.maxLength,
            precision: choice.precision,
            scale: choice.scale,
            storage: choice.storage
        )
        property.structure = choice.structure
        property.description = column.description
        if choice.storage == .memberName { property.enumeration = enumerations.type(column.type.identifier) }
        if column.isGenerated {
            property.generation = .always
        } else if column.isIdentity {
            property.generation = .onInsert
        } else if let text = column.defaultText, !shape.isView {
            switch DefaultText(text) {
            case .null: break
            case .value(let text): property.defaultValue = value(text, of: property)
            case .sequence: property.generation = .onInsert
            case .computed: if !isKey { property.generation = .onInsert }
            }
        }
        return property
    }

    /// A default as a value of the property, or `nil` when it does not fit.
    private func value(_ text: String, of property: Property) -> Value? {
        guard property.structure == nil else { return nil }
        if let name = property.enumeration {
            let type = enumerations.types.first { $0.names.wire == name }
            return type?.value(of: text).map(Value.integer)
        }
        switch property.type {
        case .boolean: return ["t", "true"].contains(text) ? .boolean(true) : .boolean(false)
        case .binary:
            return text.hasPrefix("\\x") ? .binary(Capture.bytes(String(text.dropFirst(2)))) : nil
        case .date, .dateTimeOffset: return property.value(of: .text(text))
        default: return Value(text: text, as: property.type)
        }
    }

    /// Whether the key given for a view is one.
    private mutating func keyIsSound(_ shape: TableShape, key: [String]) throws -> Bool {
        let columns = key.map(SQLToken.name).joined(separator: ", ")
        let doubled =
            try connection.query(
                """
                SELECT count(*) FROM (SELECT 1 FROM \(SQLToken.name(schema)).\(SQLToken.name(shape.name))
                GROUP BY \(columns) HAVING count(*) > 1) AS doubled
                """
            )[0].integer(0) ?? 0
        guard doubled > 0 else { return true }
        refuse(
            shape.name,
            "The view \(shape.name) has \(doubled) keys (\(key.joined(separator: ", "))) more than once."
        )
        return false
    }
}
