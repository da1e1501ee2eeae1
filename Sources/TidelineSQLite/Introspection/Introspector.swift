// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import TidelineModel
import TidelineStorage

/// Looks at every table and view of a database and makes a model of them.
///
///     shapes ─► keys ─► one pass over the values ─► types ─► names ─► navigation properties
struct Introspector {
    let connection: Database
    let namespace: String
    let viewKeys: [String: [String]]
    /// Tables, and columns as `table.column`, that are left out on purpose.
    let skipping: Set<String>
    /// What is decided although it is doubtful.
    let guesses: Set<Guess>
    var problems: [Introspection.Problem] = []

    init(
        connection: Database,
        namespace: String,
        viewKeys: [String: [String]],
        skipping: Set<String> = [],
        guesses: Set<Guess> = []
    ) {
        self.guesses = guesses
        self.connection = connection
        self.namespace = namespace
        self.viewKeys = viewKeys
        self.skipping = skipping
    }

    mutating func run() throws -> Introspection {
        var drafts: [TableDraft] = []
        let tables = try tables()
        problems += Introspection.unknown(skipping, among: tables.map(\.name))
        for (name, kind) in tables where !skipping.contains(name) {
            guard var draft = try draft(name, kind: kind) else { continue }
            problems += draft.leaveOut(skipping)
            drafts.append(draft)
        }
        for view in viewKeys.keys.sorted() where !drafts.contains(where: { $0.name == view && $0.isReadOnly }) {
            if !problems.contains(where: { $0.table == view }) {
                problems.append(.missingView(view))
            }
        }
        return ModelAssembly.introspection(
            drafts,
            namespace: namespace,
            ignoresCase: true,
            guesses: guesses,
            problems: problems
        )
    }

    private mutating func refuse(_ table: String, _ message: String, stops: Bool = true) {
        problems.append(.refusal(table, message, stops: stops))
    }

    private func tables() throws -> [(name: String, kind: String)] {
        let statement = try PreparedStatement(
            connection,
            """
            SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow'
            AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
            """
        )
        var tables: [(String, String)] = []
        while try statement.step() { tables.append((statement.string(0) ?? "", statement.string(1) ?? "")) }
        return tables.filter { $0.0 != Capture.guardName && !Capture.tableNames.contains($0.0) }
    }

    private mutating func draft(_ name: String, kind: String) throws -> TableDraft? {
        if kind == "virtual" {
            refuse(name, "\(name) is a virtual table, whose changes cannot be captured; it is left out.", stops: false)
            return nil
        }
        if name.lowercased().hasPrefix("tideline_") {
            refuse(name, "\(name) has a name that Tideline keeps for itself; rename it.")
            return nil
        }
        guard let shape = try TableShape(name, in: connection) else { return nil }
        let isView = kind == "view"
        guard shape.columns.count <= 300 else {
            refuse(
                name,
                "\(name) has more than 300 columns, which its triggers could not name; it is left out.",
                stops: false
            )
            return nil
        }
        guard let key = key(shape, isView: isView) else { return nil }
        let rules = isView ? CheckRules() : CheckRules(sqlite: try definition(shape.name))
        guard let properties = try properties(shape, key: key, isView: isView, rules) else { return nil }
        guard try !isView || keyIsSound(shape, key: key) else { return nil }
        var draft = TableDraft(
            name: shape.name,
            isReadOnly: isView,
            key: key,
            properties: properties,
            uniqueColumns: shape.uniqueIndexes.filter { index in
                index.condition == nil && index.parts.allSatisfy { $0.column != nil }
            }.map { $0.parts.compactMap(\.column) },
            foreignKeys: isView ? [] : try foreignKeys(shape)
        )
        draft.rules = rules
        if !isView {
            draft.json = try json(shape, properties, rules)
            draft.triggered = try triggered(shape)
        }
        return draft
    }

    private func foreignKeys(_ shape: TableShape) throws -> [TableDraft.ForeignKey] {
        let statement = try PreparedStatement(
            connection,
            "SELECT id, \"table\", \"from\", \"to\", on_delete FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq"
        )
        statement.bind(shape.name, 1)
        var keys: [TableDraft.ForeignKey] = []
        var last: Int64?
        while try statement.step() {
            let table = statement.string(1) ?? ""
            if last != statement.integer(0) {
                last = statement.integer(0)
                let rule: NavigationProperty.DeleteRule =
                    switch (statement.string(4) ?? "").uppercased() {
                    case "CASCADE": .cascade
                    case "SET NULL": .setNull
                    case "SET DEFAULT": .setDefault
                    default: .none
                    }
                keys.append(
                    TableDraft.ForeignKey(columns: [], targetTable: table, targetColumns: [], onDelete: rule)
                )
            }
            let place = keys[keys.count - 1].columns.count
            var target = statement.string(3)
            if target == nil {
                // Without column names the primary key is meant.
                let key = try TableShape(table, in: connection)?.primaryKey ?? []
                target = place < key.count ? key[place] : nil
            }
            keys[keys.count - 1].columns.append(statement.string(2) ?? "")
            keys[keys.count - 1].targetColumns.append(target ?? "")
        }
        return keys
    }

    /// The columns of the key, or `nil` after saying why there is none.
    private mutating func key(_ shape: TableShape, isView: Bool) -> [String]? {
        let found = TableKey.choose(
            table: shape.name,
            isView: isView,
            given: viewKeys[shape.name],
            columns: shape.columns.map { ($0.name, $0.isNotNull) },
            primary: shape.primaryKey,
            unique: shape.uniqueIndexes.filter { index in
                index.condition == nil && index.parts.allSatisfy { $0.column != nil }
            }.map { $0.parts.compactMap(\.column) }
        )
        switch found {
        case .success(let key): return key
        case .failure(let problem):
            problems.append(problem)
            return nil
        }
    }

    /// The columns that take part in a foreign key, in lower case.
    private func foreignKeyColumns(_ table: String) throws -> Set<String> {
        let statement = try PreparedStatement(connection, "SELECT lower(\"from\") FROM pragma_foreign_key_list(?)")
        statement.bind(table, 1)
        var names: Set<String> = []
        while try statement.step() { names.insert(statement.string(0) ?? "") }
        return names
    }

    /// Reads all values once and chooses the types.
    ///
    /// `nil` after saying what does not fit.
    private mutating func properties(
        _ shape: TableShape,
        key: [String],
        isView: Bool,
        _ rules: CheckRules
    ) throws -> [Property]? {
        var scans = [ColumnScan](repeating: ColumnScan(), count: shape.columns.count)
        let columns = shape.columns.map { SQLToken.name($0.name) }.joined(separator: ", ")
        let statement = try PreparedStatement(connection, "SELECT \(columns) FROM \(SQLToken.name(shape.name))")
        while try statement.step() {
            for column in scans.indices { scans[column].add(statement, Int32(column)) }
        }
        var names = WireNames(taken: DeviceNames.keptProperties)
        let references = try foreignKeyColumns(shape.name)
        let leftOut = Introspection.columns(of: shape.name, in: skipping)
        var properties: [Property] = []
        var isSound = true
        for (column, scan) in zip(shape.columns, scans) {
            let isKey = key.contains(column.name)
            if isKey, scan.nulls > 0 {
                refuse(
                    shape.name,
                    "\(shape.name): the column \(column.name) is a key and is null in \(scan.nulls) rows; give them values."
                )
                isSound = false
                continue
            }
            let isReference = references.contains(column.name.lowercased())
            switch TypeChoice.choose(column: column, scan: scan, isKey: isKey, isReference: isReference) {
            case .failure where !isKey && leftOut.contains(column.name):
                // Left out on purpose, whatever it holds.
                let any = TypeChoice(type: .string)
                properties.append(property(column, any, shape: shape, isKey: isKey, isView: isView, names: &names))
            case .failure(let problem):
                let advice =
                    problem.reason.hasPrefix("is a key, but") ? "" : "; make its values agree, then publish again"
                refuse(shape.name, "\(shape.name): the column \(column.name) \(problem.reason)\(advice).")
                isSound = false
            case .success(let choice):
                if let note = choice.note {
                    problems.append(.note(shape.name, "\(shape.name): the column \(column.name) \(note)."))
                }
                var property = property(column, choice, shape: shape, isKey: isKey, isView: isView, names: &names)
                let known = isKey || isReference
                if let found = rules.apply(to: &property, isReference: known, hasBooleans: false),
                    try keeps(&property, shape)
                {
                    problems.append(
                        .note(shape.name, "\(shape.name): by its CHECK the column \(column.name) is \(found).")
                    )
                }
                properties.append(property)
            }
        }
        return isSound ? properties : nil
    }

    /// The text of CREATE TABLE.
    func definition(_ table: String) throws -> String {
        let statement = try PreparedStatement(
            connection,
            "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?"
        )
        statement.bind(table, 1)
        return try statement.step() ? statement.string(0) ?? "" : ""
    }

    private func property(
        _ column: TableShape.Column,
        _ choice: TypeChoice,
        shape: TableShape,
        isKey: Bool,
        isView: Bool,
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
        if column.isGenerated {
            property.generation = .always
        } else if column.name == shape.rowIDColumn, choice.type.integerRange != nil {
            property.generation = .onInsert
        } else if let text = column.defaultText {
            switch DefaultText(text) {
            case .value(let quoted):
                if quoted != .null { property.defaultValue = DefaultText.value(quoted, of: property) }
            case .computed:
                if !isView, !isKey || choice.type.integerRange == nil { property.generation = .onInsert }
            }
        }
        return property
    }

    /// Whether the key given for a view is one.
    private mutating func keyIsSound(_ shape: TableShape, key: [String]) throws -> Bool {
        let columns = key.map(SQLToken.name).joined(separator: ", ")
        let statement = try PreparedStatement(
            connection,
            "SELECT count(*) FROM (SELECT 1 FROM \(SQLToken.name(shape.name)) GROUP BY \(columns) HAVING count(*) > 1)"
        )
        let doubled = try statement.step() ? statement.integer(0) : 0
        statement.reset()
        guard doubled > 0 else { return true }
        refuse(
            shape.name,
            "The view \(shape.name) has \(doubled) keys (\(key.joined(separator: ", "))) more than once."
        )
        return false
    }
}
