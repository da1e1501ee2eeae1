// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineSQLite
import TidelineStorage

/// A row of a result with what tells it from others.
struct KeyedRow<Row> {
    var key: Key
    var row: Row
    /// The stored values, for comparison with an earlier result.
    var print: [UInt8]
}

extension KeyedRow: Sendable where Row: Sendable {}

/// Plans, compiled to SQL and read.
extension Connection {
    func entity(_ key: Key, in name: String) throws -> [String: Value]? {
        let set = try layout.set(name)
        return try row(set, Connection.checked(key, set)).map { Connection.named($0.values, set.columns) }
    }

    private static func named(_ values: [Value], _ columns: [DeviceColumn]) -> [String: Value] {
        Dictionary(zip(columns, values).map { ($0.property.names.wire, $1) }, uniquingKeysWith: { first, _ in first })
    }

    func entity<E: Entity>(_ type: E.Type, _ key: Key) throws -> E? {
        let set = try layout.set(E.entitySet.names.wire)
        let values = try Connection.checked(key, set)
        return try query(set.selectSQL, { append(values, set.key, set, to: $0) }) {
            var cursor = RowCursor($0, set.columns)
            return try E(row: &cursor)
        }.first
    }

    /// The plan over this file's own model: whatever the caller planned with, tables and forms are those of the file.
    private func local(_ plan: ReadPlan) throws -> (ReadPlan, SetLayout) {
        guard plan.expansions.isEmpty else {
            throw LocalStoreError(
                .unsupported,
                set: plan.set.names.wire,
                message: "These rows have no place for related entities. Use `fetchExpanded`, or push into a sink."
            )
        }
        let local = try localized(plan)
        return (local, try layout.set(local.set.names.wire))
    }

    private func localized(_ plan: ReadPlan) throws -> ReadPlan {
        let set = try layout.set(plan.set.names.wire)
        let navigations = set.set.type.navigationProperties
        guard plan.columns.allSatisfy(set.columns.indices.contains),
            plan.expansions.map(\.navigation).allSatisfy(navigations.indices.contains)
        else {
            throw LocalStoreError(
                .unknownProperty,
                set: set.name,
                message: "The plan names a property that is not there."
            )
        }
        var plan = plan
        plan.model = layout.model
        plan.set = set.set
        plan.includesETag = false
        plan.expansions = try plan.expansions.map { expansion in
            var expansion = expansion
            expansion.plan = try localized(expansion.plan)
            let navigation = navigations[expansion.navigation]
            guard expansion.plan.set.names.wire == navigation.targetSet else {
                throw LocalStoreError(
                    .unknownProperty,
                    set: set.name,
                    properties: [navigation.names.wire],
                    message: "'\(navigation.names.wire)' leads to '\(navigation.targetSet)'."
                )
            }
            return expansion
        }
        return plan
    }

    private func compiled(_ plan: ReadPlan) throws -> (SelectStatement, Statement) {
        let select = SelectStatement(plan: plan, dialect: SQLiteDialect())
        let statement = try statement(select.text)
        for (index, value) in select.bindings.enumerated() { statement.bind(value, Int32(index + 1)) }
        return (select, statement)
    }

    private func forEach(
        _ plan: ReadPlan,
        _ set: SetLayout,
        _ body: (Statement, SelectStatement) throws -> Void
    ) throws {
        let (select, statement) = try compiled(plan)
        defer { statement.reset() }
        var rows = 0
        while rows < select.rowLimit, try statement.step() {
            try body(statement, select)
            rows += 1
        }
    }

    func dynamicRows(_ plan: ReadPlan) throws -> [KeyedRow<[String: Value]>] {
        let (plan, set) = try local(plan)
        let columns = plan.columns.map { set.columns[$0] }
        return try keyed(plan, set) { statement in
            let values = try columns.enumerated().map { try $1.value(statement.value(Int32($0))) }
            return Connection.named(values, columns)
        }
    }

    func entities<E: Entity>(_ type: E.Type, _ plan: ReadPlan) throws -> [KeyedRow<E>] {
        let (plan, set) = try local(plan)
        let columns = plan.columns.map { set.columns[$0] }
        return try keyed(plan, set) { statement in
            var cursor = RowCursor(statement, columns)
            return try E(row: &cursor)
        }
    }

    /// The entities of a plan alone, without what live results compare.
    func rows<E: Entity>(_ type: E.Type, _ plan: ReadPlan) throws -> [E] {
        let (plan, set) = try local(plan)
        let columns = plan.columns.map { set.columns[$0] }
        var rows: [E] = []
        try forEach(plan, set) { statement, _ in
            var cursor = RowCursor(statement, columns)
            rows.append(try E(row: &cursor))
        }
        return rows
    }

    /// The rows of a plan with their keys and prints.
    private func keyed<Row>(
        _ plan: ReadPlan,
        _ set: SetLayout,
        _ read: (Statement) throws -> Row
    ) throws -> [KeyedRow<Row>] {
        var rows: [KeyedRow<Row>] = []
        let print = PackedBuffer()
        try forEach(plan, set) { statement, select in
            print.removeAll()
            for column in select.properties.indices { print.append(statement.value(Int32(column))) }
            let key = try set.key.map { place in
                guard let column = select.column(of: place) else { return Value.null }
                return try set.columns[place].value(statement.value(Int32(column)))
            }
            rows.append(KeyedRow(key: Key(key), row: try read(statement), print: print.bytes))
        }
        return rows
    }

    /// Pushes one page of a plan, expansions included, as a published database is read too.
    func push(_ plan: ReadPlan, into sink: any RowSink) throws -> PageEnd {
        let plan = try localized(plan)
        return try SQLiteRefusal.translated { try layout.plans.page(plan, on: database, into: sink) }
    }

    /// The rows of a plan with the rows that belong to them.
    func expandedRows(_ plan: ReadPlan) throws -> [ExpandedRow] {
        let collector = RowCollector(try localized(plan))
        _ = try push(plan, into: collector)
        return try collector.finish()
    }

    func count(_ plan: ReadPlan) throws -> Int {
        var plan = plan
        plan.expansions = []
        let count = CountStatement(plan: try localized(plan), dialect: SQLiteDialect())
        let statement = try statement(count.text)
        for (index, value) in count.bindings.enumerated() { statement.bind(value, Int32(index + 1)) }
        defer { statement.reset() }
        return try statement.step() ? Int(statement.integer(0)) : 0
    }
}

extension SQLValue {
    init(_ stored: PackedValue) {
        self =
            switch stored {
            case .null: .null
            case .integer(let value): .integer(value)
            case .double(let value): .real(value)
            case .text(let text): unsafe .text(String(decoding: text, as: UTF8.self))
            case .blob(let blob): unsafe .blob([UInt8](blob))
            }
    }
}

extension Statement {
    func bind(_ value: SQLValue, _ index: Int32) {
        switch value {
        case .null: bindNull(index)
        case .integer(let value): bind(value, index)
        case .real(let value): bind(value, index)
        case .text(let value), .typed(let value, _): bind(value, index)
        case .blob(let value): bind(value, index)
        }
    }
}

extension PackedBuffer {
    func append(_ value: PackedValue) {
        switch value {
        case .null: null()
        case .integer(let value): integer(value)
        case .double(let value): double(value)
        case .text(let value): unsafe text(value)
        case .blob(let value): unsafe blob(value)
        }
    }
}
