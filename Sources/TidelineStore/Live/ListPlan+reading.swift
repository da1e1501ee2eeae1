// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

extension ListPlan {
    /// Reads all rows.
    ///
    /// - Parameter holdsRows: whether the elements are made too.
    func all(_ connection: Connection, holdsRows: Bool) throws -> [ListRow<Row>] {
        try rows(plan, connection, holdsRows: holdsRows)
    }

    /// Reads the rows of these keys that belong to the result, whatever its limit is.
    func rows(of keys: Set<Key>, _ connection: Connection, holdsRows: Bool) throws -> [Key: ListRow<Row>] {
        var found: [Key: ListRow<Row>] = [:]
        for part in set.conditions(of: Array(keys)) {
            var plan = self.plan
            plan.top = nil
            plan.filter = plan.filter.map { part.and($0) } ?? part
            for row in try rows(plan, connection, holdsRows: holdsRows) { found[row.key] = row }
        }
        return found
    }

    /// Reads the rows that follow one in the order, a number of them.
    func rows(
        after order: [Value],
        count: Int,
        _ connection: Connection,
        holdsRows: Bool
    ) throws -> [ListRow<Row>] {
        var plan = self.plan
        plan.after = order
        plan.top = count
        return try rows(plan, connection, holdsRows: holdsRows)
    }

    /// Reads the elements of these keys, whether they belong to the result or not.
    func elements(of keys: some Collection<Key>, _ connection: Connection) throws -> [Key: Row] {
        var found: [Key: Row] = [:]
        for part in set.conditions(of: Array(keys)) {
            var plan = self.plan
            plan.top = nil
            plan.skip = 0
            plan.orderBy = []
            plan.filter = part
            for row in try rows(plan, connection, holdsRows: true) { found[row.key] = row.row }
        }
        return found
    }

    private func rows(_ plan: ReadPlan, _ connection: Connection, holdsRows: Bool) throws -> [ListRow<Row>] {
        let columns = set.columns(of: plan)
        var rows: [ListRow<Row>] = []
        var keyPlaces: [(column: Int32, place: Int)]?
        try connection.forEach(plan, set) { statement, select in
            let places =
                try keyPlaces
                ?? set.key.map { place in
                    guard let column = select.column(of: place) else {
                        throw LocalStoreError(.corrupt, set: set.name, message: "A row was read without its key.")
                    }
                    return (Int32(column), place)
                }
            keyPlaces = places
            let key = try places.map { try set.columns[$0.place].value(statement.value($0.column)) }
            var order = key
            if plan.orderBy.count > 0 { order = try select.continuation.map { try value($0, statement) } }
            rows.append(
                ListRow(
                    key: Key(key),
                    order: order,
                    print: ListPlan.print(statement, plan.columns.count, select.computed),
                    row: holdsRows ? try read(statement, columns, select) : nil
                )
            )
        }
        return rows
    }

    private func value(_ column: SelectStatement.ContinuationColumn, _ statement: Statement) throws -> Value {
        guard let value = column.value(of: SQLValue(statement.value(Int32(column.column)))) else {
            throw LocalStoreError(.corrupt, set: set.name, message: "The file holds a value of another type.")
        }
        return value
    }

    /// A hash of what is shown of a row: the plan's columns, and what it computes.
    private static func print(
        _ statement: Statement,
        _ columns: Int,
        _ computed: [SelectStatement.ContinuationColumn]
    ) -> Int {
        var hasher = Hasher()
        for column in 0..<Int32(columns) { hasher.combine(statement.value(column)) }
        for column in computed { hasher.combine(statement.value(Int32(column.column))) }
        return hasher.finalize()
    }
}

extension Hasher {
    fileprivate mutating func combine(_ value: PackedValue) {
        switch value {
        case .null: combine(UInt8(0))
        case .integer(let value):
            combine(UInt8(1))
            combine(value)
        case .double(let value):
            combine(UInt8(2))
            combine(value.bitPattern)
        case .text(let text):
            combine(UInt8(3))
            combine(text.count)
            unsafe combine(bytes: text)
        case .blob(let blob):
            combine(UInt8(4))
            combine(blob.count)
            unsafe combine(bytes: blob)
        }
    }
}

extension SetLayout {
    /// Conditions that together hold for the rows of these keys alone.
    ///
    /// Their sizes are powers of two, a key standing twice where need be, so that few statements are compiled; SQLite
    /// takes expressions of a depth of a thousand.
    fileprivate func conditions(of keys: [Key]) -> [TypedExpression] {
        let most = key.count == 1 ? 256 : 32
        return stride(from: 0, to: keys.count, by: most).map { start in
            var part = Array(keys[start..<min(start + most, keys.count)])
            var size = 1
            while size < part.count { size *= 2 }
            part += Array(repeating: part[part.count - 1], count: size - part.count)
            return key.count == 1 ? isOne(of: part) : part.map(isKey).reduce(nil) { $0?.or($1) ?? $1 } ?? isOne(of: [])
        }
    }

    private func path(_ place: Int) -> TypedExpression {
        TypedExpression(node: .path(TypedExpression.Path(property: place)), type: columns[place].property.type)
    }

    private func literal(_ value: Value, _ place: Int) -> TypedExpression {
        TypedExpression(node: .literal(value), type: columns[place].property.type)
    }

    private func isOne(of keys: [Key]) -> TypedExpression {
        let place = key[0]
        return TypedExpression(node: .isIn(path(place), keys.map { literal($0.values[0], place) }), type: .boolean)
    }

    private func isKey(_ key: Key) -> TypedExpression {
        let terms = zip(self.key, key.values).map { place, value in
            TypedExpression(node: .binary(.equal, path(place), literal(value, place)), type: .boolean)
        }
        return terms.dropFirst().reduce(terms[0]) { $0.and($1) }
    }
}

extension TypedExpression {
    fileprivate func and(_ other: TypedExpression) -> TypedExpression {
        TypedExpression(node: .binary(.and, self, other), type: .boolean)
    }

    fileprivate func or(_ other: TypedExpression) -> TypedExpression {
        TypedExpression(node: .binary(.or, self, other), type: .boolean)
    }
}
