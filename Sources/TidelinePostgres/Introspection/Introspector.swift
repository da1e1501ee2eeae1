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
    /// Tables, and columns as `table.column`, that are left out on purpose.
    let skipping: Set<String>
    /// What is decided although it is doubtful.
    let guesses: Set<Guess>
    private var problems: [Introspection.Problem] = []
    var enumerations = Enumerations([:])
    private var composites = CompositeTypes([:], taken: [])
    /// The digits after the point that the database's locale gives to money.
    private var moneyScale = 2

    init(
        connection: PostgresConnection,
        schema: String,
        namespace: String,
        viewKeys: [String: [String]],
        skipping: Set<String>,
        guesses: Set<Guess> = []
    ) {
        self.guesses = guesses
        self.connection = connection
        self.schema = schema
        self.namespace = namespace
        self.viewKeys = viewKeys
        self.skipping = skipping
    }

    mutating func run() throws -> Introspection {
        let catalog = Catalog(connection: connection, schema: schema)
        let labels = try catalog.enumerations()
        enumerations = Enumerations(labels)
        composites = CompositeTypes(try catalog.composites(), taken: labels.values.map(\.name))
        moneyScale = try Int(connection.query("SELECT scale(1::money::numeric)")[0].integer(0) ?? 2)
        let shapes = try catalog.shapes()
        problems += Introspection.unknown(skipping, among: shapes.map(\.name))
        var drafts: [TableDraft] = []
        for shape in shapes where !skipping.contains(shape.name) {
            guard var draft = try draft(shape) else { continue }
            problems += draft.leaveOut(skipping)
            drafts.append(draft)
        }
        for view in viewKeys.keys.sorted() where !drafts.contains(where: { $0.name == view && $0.isReadOnly }) {
            if !problems.contains(where: { $0.table == view }) {
                problems.append(.missingView(view))
            }
        }
        var found = ModelAssembly.introspection(
            drafts,
            namespace: namespace,
            enumerations: enumerations.types,
            complexTypes: composites.types,
            ignoresCase: false,
            guesses: guesses,
            problems: problems
        )
        var guess = OperationGuess(model: found.model, schema: schema, enumerations: enumerations)
        guess.add(try RoutineCatalog(connection: connection).routines(schema: schema))
        found.model = guess.model
        found.problems += guess.problems
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
        let rules = CheckRules(postgres: shape.checks)
        guard var properties = try properties(shape, key: key) else { return nil }
        guard try !shape.isView || keyIsSound(shape, key: key) else { return nil }
        for place in properties.indices {
            let column = properties[place].names.database
            let isReference = key.contains(column) || shape.foreignKeys.contains { $0.columns.contains(column) }
            guard let found = rules.apply(to: &properties[place], isReference: isReference, hasBooleans: true) else {
                continue
            }
            problems.append(.note(shape.name, "\(shape.name): by its CHECK the column \(column) is \(found)."))
        }
        var draft = TableDraft(
            name: shape.name,
            isReadOnly: shape.isView,
            key: key,
            properties: properties,
            uniqueColumns: shape.uniqueIndexes.map(\.columns),
            foreignKeys: shape.isView ? [] : shape.foreignKeys,
            description: shape.description
        )
        draft.rules = rules
        draft.triggered = shape.triggered
        if !shape.isView { draft.json = try json(shape, properties) }
        return draft
    }

    private static func reasonToLeaveOut(_ shape: TableShape) -> String? {
        if shape.kind == .foreignTable { return "is a foreign table, whose changes cannot be captured" }
        if shape.isUnlogged { return "is UNLOGGED: a crash would empty it unseen (ALTER TABLE … SET LOGGED)" }
        if shape.name.contains(where: { $0 == "." || $0 == "\"" }) {
            return "has a dot or a double quote in its name: rename it, or publish a view of it"
        }
        if shape.hasChildren { return "has tables that inherit from it, whose rows have no common key" }
        return nil
    }

    /// The columns of the key, or `nil` after saying why there is none.
    private mutating func key(_ shape: TableShape) -> [String]? {
        let found = TableKey.choose(
            table: shape.name,
            isView: shape.isView,
            given: viewKeys[shape.name],
            columns: shape.columns.map { ($0.name, $0.isNotNull) },
            primary: shape.primaryKey,
            unique: shape.uniqueIndexes.map(\.columns)
        )
        switch found {
        case .success(let key): return key
        case .failure(let problem):
            problems.append(problem)
            return nil
        }
    }

    /// Chooses the types and counts what does not fit them.
    ///
    /// `nil` after saying what does not.
    private mutating func properties(_ shape: TableShape, key: [String]) throws -> [Property]? {
        var names = WireNames(taken: DeviceNames.keptProperties)
        var properties: [Property] = []
        var doubts: [(column: String, condition: String, name: String)] = []
        var isSound = true
        for column in shape.columns {
            let isKey = key.contains(column.name)
            let isReference = isKey || shape.foreignKeys.contains { $0.columns.contains(column.name) }
            guard let choice = choose(column, isReference: isReference) else {
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

    /// - Parameter isReference: whether the column is part of a key or refers to one.
    private mutating func choose(_ column: TableShape.Column, isReference: Bool) -> TypeChoice? {
        let name = SQLToken.name(column.name)
        switch (column.type.kind, column.type.name) {
        case (.enumeration, _) where isReference:
            return TypeChoice(
                type: .string,
                note: "is a string with the labels of \(column.declaredType): it is part of a key or refers to one"
            )
        case (.enumeration, _):
            // Its name is found again by the property.
            return enumerations.type(column.type.identifier) == nil
                ? TypeChoice(
                    type: .string,
                    note: "is a string with the labels of \(column.declaredType), which cannot all be names of members"
                ) : TypeChoice(type: .int32, storage: .memberName)
        case (.array, _) where enumerations.labels(column.type.identifier) != nil:
            let type = enumerations.type(column.type.identifier)
            return TypeChoice(
                type: .string,
                structure: .collection(of: type.map { .enumeration($0) } ?? .primitive(.string), itemsNullable: true),
                misfit: ("array_ndims(\(name)) > 1", "arrays of arrays, which OData does not have")
            )
        case (.composite, _): return composites.choose(column.type.identifier, column: name)
        case (.base, "money"):
            return TypeChoice(
                type: .decimal,
                precision: 19,
                scale: moneyScale,
                note: "is money: a number with \(moneyScale) digits after the point, as the database's locale has it"
            )
        default: return TypeChoice.choose(column.type, column: name)
        }
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
