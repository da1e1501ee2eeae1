// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineOData
import TidelineStorage
import TidelineStorageTesting
import TidelineTestSupport

@testable import TidelinePostgres

struct ExpressionTableTests {
    @Test(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
    func `PostgreSQL selects the rows of the table`() throws {
        let world = ExpressionWorld()
        let conninfo = try PostgresCluster.shared().makeDatabase(Self.script(world))
        let store = try PostgresStore(
            conninfo: conninfo,
            model: world.model,
            options: PostgresStoreOptions(isTracked: false)
        )
        defer { store.close() }
        let table = ExpressionTable(over: world, parse: { try ExpressionParser.parse($0) }) { condition in
            let recorder = RowRecorder()
            let plan = ReadPlan(
                model: world.model,
                set: world.items,
                filter: condition,
                columns: [0],
                includesETag: false,
                user: ExpressionWorld.user
            )
            _ = try store.read { try $0.read(plan, into: recorder) }
            return recorder.lines.compactMap { Int($0) }
        }
        #expect(table.mistakes.isEmpty, "\(table.mistakes.joined(separator: "\n"))")
        #expect(table.count == ExpressionCase.all.count)
    }

    @Test(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
    func `PostgreSQL pushes computed properties`() throws {
        let world = ExpressionWorld()
        let store = try PostgresStore(
            conninfo: PostgresCluster.shared().makeDatabase(Self.script(world)),
            model: world.model,
            options: PostgresStoreOptions(isTracked: false)
        )
        defer { store.close() }
        let rows = try ComputedTable.read(world, parse: { try ExpressionParser.parse($0) }) { plan, sink in
            try store.read { try $0.read(plan, into: sink) }
        }
        #expect(rows == ComputedTable.rows)
    }

    @Test(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
    func `aggregation makes the rows of its table on PostgreSQL`() throws {
        let world = ExpressionWorld()
        let store = try PostgresStore(
            conninfo: PostgresCluster.shared().makeDatabase(Self.script(world)),
            model: world.model,
            options: PostgresStoreOptions(isTracked: false)
        )
        defer { store.close() }
        let mistakes = AggregationTable.mistakes(
            over: world,
            parse: { text in
                let query = "$apply=" + text.replacing(" ", with: "%20")
                return try #require(QueryOptions(parsing: query[...]).apply)
            },
            expression: { try ExpressionParser.parse($0) },
            rows: { plan, sink in try store.read { try $0.aggregate(plan, into: sink) } }
        )
        #expect(mistakes.isEmpty, "\(mistakes.joined(separator: "\n"))")
    }

    /// The tables with their rows.
    private static func script(_ world: ExpressionWorld) -> String {
        zip(world.model.sets, ExpressionWorld.rows).map { set, rows in
            let columns = set.type.properties.map { "\"\($0.names.database)\" \(type($0))" }.joined(separator: ", ")
            let table = "CREATE TABLE \"\(set.names.database)\" (\(columns));"
            let inserts = rows.map { row in
                let values = zip(row, set.type.properties).map { text, property in
                    text.map { literal($0, property) } ?? "NULL"
                }
                return "INSERT INTO \"\(set.names.database)\" VALUES (\(values.joined(separator: ", ")));"
            }
            return ([table] + inserts).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private static func type(_ property: Property) -> String {
        switch property.type {
        case .boolean: "boolean"
        case .int32: "integer"
        case .int64: "bigint"
        case .decimal: "numeric(\(property.precision ?? 19), \(property.scale ?? 4))"
        case .double: "double precision"
        case .date: "date"
        case .dateTimeOffset: "timestamp(3) with time zone"
        case .timeOfDay: "time(3)"
        case .duration: "interval"
        case .guid: "uuid"
        case .binary: "bytea"
        default: "text"
        }
    }

    private static func literal(_ text: String, _ property: Property) -> String {
        if property.type == .duration, text.hasPrefix("-") { return "-'\(text.dropFirst())'::interval" }
        guard property.type == .binary, case .binary(let bytes)? = Value(text: text, as: .binary) else {
            return "'\(text.replacing("'", with: "''"))'"
        }
        return "'\\x" + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "'"
    }
}
