// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Testing
import TidelineModel
import TidelineOData
import TidelineSQLite
import TidelineStorage

/// Five rows with nulls and edges, held in one of several storage forms, and two evaluators that look at them.
struct FilterWorld {
    /// How the columns hold their values.
    enum Forms: CaseIterable {
        case native, integers, texts, julian, variable
    }

    let model: EntityModel
    let forms: Forms

    init(_ forms: Forms) {
        self.forms = forms
        func property(
            _ name: String,
            _ type: PrimitiveType,
            precision: Int? = nil,
            scale: Int? = nil,
            _ storage: StorageForm = .native
        ) -> Property {
            Property(
                names: Names(wire: name, database: name.lowercased()),
                type: type,
                isNullable: name != "Id",
                precision: precision,
                scale: scale,
                storage: storage
            )
        }
        let digits: Int? = forms == .variable ? nil : 3
        let decimal: StorageForm = forms == .integers ? .decimalScaled : forms == .texts ? .decimalText : .native
        let moment: StorageForm =
            switch forms {
            case .native, .variable: .native
            case .integers: .unixMilliseconds
            case .texts: .sqlText
            case .julian: .julianDay
            }
        let items = EntityType(
            names: Names(wire: "Item"),
            properties: [
                property("Id", .int32), property("Name", .string), property("N", .int32), property("Big", .int64),
                property("P", .decimal, precision: 19, scale: 4, decimal), property("W", .double),
                property("Flag", .boolean, forms == .texts ? .booleanText : .native),
                property("Born", .date, forms == .integers ? .unixSeconds : .native),
                property("At", .dateTimeOffset, precision: digits, moment),
                property("T", .timeOfDay, precision: digits), property("Len", .duration),
                property("G", .guid, forms == .integers ? .guidBlob : forms == .texts ? .guidUpper : .native),
                property("OwnerId", .int32), property("Bin", .binary),
            ],
            key: [0],
            navigationProperties: [
                NavigationProperty(
                    names: Names(wire: "Owner"),
                    targetSet: "Owners",
                    isCollection: false,
                    isDependent: true,
                    constraints: [.init(source: 12, target: 0)]
                )
            ]
        )
        let owners = EntityType(
            names: Names(wire: "Owner"),
            properties: [property("Id", .int32), property("Name", .string)],
            key: [0]
        )
        model = EntityModel(
            namespace: "Test",
            sets: [
                EntitySet(names: Names(wire: "Items", database: "items"), type: items),
                EntitySet(names: Names(wire: "Owners", database: "owners"), type: owners),
            ]
        )
    }

    var items: EntitySet { model.sets[0] }

    /// The texts of the values by property, `nil` for null.
    static let rows: [[String?]] = [
        [
            "1", "Apple", "1", "9223372036854775807", "2.5", "0.5", "true", "2024-02-29", "2024-02-29T12:30:15.25Z",
            "08:15:30.5", "PT1H30M", "00000000-0000-0000-0000-000000000001", "1", "AAEC",
        ],
        [
            "2", "apple", "5", "-9223372036854775808", "-2.5", "-2.5", "false", "1969-12-31",
            "1969-12-31T23:59:59.999Z",
            "00:00:00", "-P1D", "abcdef00-0000-0000-0000-0000000000ff", "2", "",
        ],
        ["3", nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil],
        [
            "4", "10%_Ä", "0", "0", "0.1", "2.5", "true", "2000-01-01", "2000-01-01T00:00:00Z", "23:59:59.999", "PT0S",
            "7f000000-0000-0000-0000-000000000000", "1", "_w",
        ],
        [
            "5", " straße ", "-7", "42", "1234567.8901", "1e300", nil, nil, "2024-03-01T00:00:00Z", nil, "PT36H", nil,
            "2", nil,
        ],
    ]
    static let owners: [[String?]] = [["1", "Ann"], ["2", nil]]

    static let user = UserContext(
        id: .string("1"),
        name: "Ann",
        roles: ["clerk"],
        attributes: ["Teams": [.integer(2), .integer(9)], "None": []]
    )

    func values(_ texts: [String?], _ set: EntitySet) -> [Value] {
        zip(texts, set.type.properties).map { text, property in
            text.flatMap { Value(text: $0, as: property.type) } ?? .null
        }
    }

    func check(_ filter: String) throws -> TypedExpression {
        try ExpressionChecker(model: model, set: items).condition(ExpressionParser.parse(filter))
    }

    /// The identifiers of the rows for which the evaluator in memory finds the filter true.
    func evaluated(_ filter: String, user: UserContext = FilterWorld.user) throws -> [Int] {
        let condition = try check(filter)
        let now = try #require(DateTimeOffset("2026-01-01T00:00:00Z"))
        let owners = Self.owners.map { values($0, model.sets[1]) }
        return try Self.rows.map { values($0, items) }.filter { row in
            let source = EntitySource(row, user: user) { _, values in
                owners.first { $0[0] == values[12] }.map { EntitySource($0, user: user) }
            }
            return try ExpressionEvaluator(source: source, user: user, now: now).isTrue(condition)
        }.map { row in if case .integer(let id) = row[0] { Int(id) } else { -1 } }
    }

    /// The database with the rows, in memory.
    func database() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { connection in
            guard let handle = unsafe connection.sqliteConnection else { return }
            try unsafe SQLiteFunctions.register(on: handle)
            for (set, rows) in zip(model.sets, [Self.rows, Self.owners]) {
                let columns = set.type.properties.map { "\"\($0.names.database)\"" }.joined(separator: ", ")
                try connection.execute(sql: "CREATE TABLE \"\(set.names.database)\" (\(columns))")
                for row in rows {
                    let stored = try zip(values(row, set), set.type.properties).map { value, property in
                        try #require(property.stored(value), "\(property.names.wire) in \(forms)")
                    }
                    let marks = stored.map { _ in "?" }.joined(separator: ", ")
                    try connection.execute(
                        sql: "INSERT INTO \"\(set.names.database)\" VALUES (\(marks))",
                        arguments: StatementArguments(stored.map(\.databaseValue))
                    )
                }
            }
        }
        return queue
    }

    /// The first columns of the rows that a plan reads.
    static func run(_ statement: SelectStatement, _ outer: [SQLValue] = [], on queue: DatabaseQueue) throws -> [Int] {
        try queue.read { connection in
            let arguments = StatementArguments((outer + statement.bindings).map(\.databaseValue))
            return try Int.fetchAll(connection, sql: statement.text, arguments: arguments)
        }
    }
}

extension SQLValue {
    var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let value): value.databaseValue
        case .real(let value): value.databaseValue
        case .text(let value), .typed(let value, _): value.databaseValue
        case .blob(let bytes): Data(bytes).databaseValue
        }
    }
}
