// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineSQLite
import TidelineStorage

/// Plans, compiled to SQL and read.
extension Connection {
    func entity(_ key: Key, in name: String) throws -> [String: Value]? {
        let set = try layout.set(name)
        return try row(set, Connection.checked(key, set)).map { Connection.named($0.values, set.columns) }
    }

    static func named(_ values: [Value], _ columns: [DeviceColumn]) -> [String: Value] {
        Dictionary(zip(columns, values).map { ($0.property.names.wire, $1) }, uniquingKeysWith: { first, _ in first })
    }

    func entity<E: Entity>(_ type: E.Type, _ key: Key) throws -> E? {
        let set = try layout.set(E.entitySet.names.wire)
        let values = try Connection.checked(key, set)
        guard E.entitySet.type.calculatedProperties.isEmpty else {
            return try rows(type, E.plan(key: Key(values), set.set, layout.model)).first
        }
        return try query(set.selectSQL, { append(values, set.key, set, to: $0) }) {
            var cursor = RowCursor($0, set.columns)
            return try E(row: &cursor)
        }.first
    }

    private func local(_ plan: ReadPlan) throws -> (ReadPlan, SetLayout) { try layout.local(plan) }

    func compiled(_ plan: ReadPlan) throws -> (SelectStatement, Statement) {
        let select = SelectStatement(plan: try prepared(plan), dialect: SQLiteDialect())
        let statement = try statement(select.text)
        for (index, value) in select.bindings.enumerated() { statement.bind(value, Int32(index + 1)) }
        return (select, statement)
    }

    func forEach(
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

    func dynamicRows(_ plan: ReadPlan) throws -> [[String: Value]] {
        let (plan, set) = try local(plan)
        let columns = set.columns(of: plan)
        var rows: [[String: Value]] = []
        try forEach(plan, set) { rows.append(try Connection.dynamicRow($0, columns, $1)) }
        return rows
    }

    /// The row that a statement is at, by the wire names of its properties and the names of what the plan computes.
    ///
    /// - Parameter columns: those of ``SetLayout/columns(of:)``.
    static func dynamicRow(
        _ statement: Statement,
        _ columns: [DeviceColumn],
        _ select: SelectStatement
    ) throws -> [String: Value] {
        let first = columns.count - select.computed.count
        let places = Array(0..<first) + select.computed.map(\.column)
        let values = try zip(columns, places).map { try $0.value(statement.value(Int32($1))) }
        return named(values, columns)
    }

    /// The rows of a plan, each as the values of the plan's columns.
    func valueRows(_ plan: ReadPlan) throws -> [[Value]] {
        let (plan, set) = try local(plan)
        let columns = plan.columns.map { set.columns[$0] }
        var rows: [[Value]] = []
        try forEach(plan, set) { statement, _ in
            rows.append(try columns.enumerated().map { try $1.value(statement.value(Int32($0))) })
        }
        return rows
    }

    /// The entities of a plan.
    func rows<E: Entity>(_ type: E.Type, _ plan: ReadPlan) throws -> [E] {
        try rows(plan) { try E(row: &$0) }
    }

    /// What is read from each row of a plan: the plan's columns, then its computed values.
    func rows<Row>(_ plan: ReadPlan, _ read: (inout RowCursor) throws -> Row) throws -> [Row] {
        let (plan, set) = try local(plan)
        let columns = set.columns(of: plan)
        var rows: [Row] = []
        try forEach(plan, set) { statement, select in
            var cursor = RowCursor(statement, columns, select)
            rows.append(try read(&cursor))
        }
        return rows
    }

    /// Pushes one page of a plan, expansions included, as a published database is read too.
    func push(_ plan: ReadPlan, into sink: any RowSink) throws -> PageEnd {
        let plan = try prepared(layout.localized(plan))
        return try SQLiteRefusal.translated {
            try layout.plans.page(plan, on: database, keeping: keeps, into: sink)
        }
    }

    /// The rows of a plan with the rows that belong to them.
    func expandedRows(_ plan: ReadPlan) throws -> [ExpandedRow] {
        let collector = RowCollector(try layout.localized(plan))
        _ = try push(plan, into: collector)
        return try collector.finish()
    }

    func count(_ plan: ReadPlan) throws -> Int {
        var plan = plan
        plan.expansions = []
        let count = CountStatement(plan: try prepared(layout.localized(plan)), dialect: SQLiteDialect())
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
