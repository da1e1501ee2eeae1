// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineOData
import TidelineStorage
import TidelineStorageTesting
import TidelineTestSupport

@testable import TidelinePostgres

@Suite(.ownThread)
struct ExpressionTableTests {
    /// How the columns of the table hold their values.
    struct Columns: CustomTestStringConvertible {
        let forms: ExpressionWorld.Forms
        /// Whether they are of other types than one would choose: a Boolean in a number, a GUID in a text, JSON in jsonb.
        let isOdd: Bool
        var testDescription: String { forms.rawValue + (isOdd ? ", odd types" : "") }

        static let all = ExpressionWorld.Forms.allCases.flatMap { forms in
            [false, true].map { Columns(forms: forms, isOdd: $0) }
        }
    }

    private func store(_ world: ExpressionWorld, isOdd: Bool) throws -> PostgresStore {
        try PostgresStore(
            conninfo: PostgresCluster.shared().makeDatabase(Self.script(world, isOdd: isOdd)),
            model: world.model,
            options: .untracked
        )
    }

    @Test(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice), arguments: Columns.all)
    func `PostgreSQL selects the rows of the table`(columns: Columns) throws {
        let world = ExpressionWorld(columns.forms)
        let store = try store(world, isOdd: columns.isOdd)
        defer { store.close() }
        let table = ExpressionTable(over: world, parse: { try ExpressionParser.parse($0) }) { condition in
            try world.items(condition, in: store)
        }
        #expect(table.mistakes.isEmpty, "\(table.mistakes.joined(separator: "\n"))")
        #expect(table.count == ExpressionCase.all.count)
    }

    @Test(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice), arguments: Columns.all)
    func `PostgreSQL pushes computed properties`(columns: Columns) throws {
        let world = ExpressionWorld(columns.forms)
        let store = try store(world, isOdd: columns.isOdd)
        defer { store.close() }
        let rows = try ComputedTable.read(world, parse: { try ExpressionParser.parse($0) }) { plan, sink in
            try store.read { try $0.read(plan, into: sink) }
        }
        #expect(rows == ComputedTable.rows)
    }

    @Test(.covers("DA-39"), .enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice), arguments: Columns.all)
    func `aggregation makes the rows of its table on PostgreSQL`(columns: Columns) throws {
        let world = ExpressionWorld(columns.forms)
        let store = try store(world, isOdd: columns.isOdd)
        defer { store.close() }
        let mistakes = AggregationTable.mistakes(
            over: world,
            parse: { text in
                let query = "$apply=" + text.replacing(" ", with: "%20")
                return try #require(QueryOptions(parsing: query[...]).apply)
            },
            expression: { try ExpressionParser.parse($0) },
            rows: { plan, sink in try store.read { try $0.aggregate(plan, into: sink) } },
            read: { plan, sink in try store.read { try $0.read(plan, into: sink) } }
        )
        #expect(mistakes.isEmpty, "\(mistakes.joined(separator: "\n"))")
    }

    @Test(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice), arguments: Columns.all)
    func `pages by every key together hold every row once, in order`(columns: Columns) throws {
        let world = ExpressionWorld(columns.forms)
        let store = try store(world, isOdd: columns.isOdd)
        defer { store.close() }
        let properties = world.items.type.properties
        for place in properties.indices where !properties[place].type.isSpatial {
            for isDescending in [false, true] {
                let path = TypedExpression(node: .path(.init(property: place)), type: properties[place].type)
                var plan = ReadPlan(
                    model: world.model,
                    set: world.items,
                    orderBy: [.init(path, isDescending: isDescending)],
                    columns: [0],
                    includesETag: false
                )
                let whole = RowRecorder()
                _ = try store.read { try $0.read(plan, into: whole) }
                #expect(whole.lines.sorted() == ["1", "2", "3", "4", "5"])
                let paged = RowRecorder()
                plan.pageLimit = .init(rows: 1, bytes: .max)
                for _ in 0..<6 {
                    let end = try store.read { try $0.read(plan, into: paged) }
                    plan.after = end.continuation
                    if end.continuation == nil { break }
                }
                let name = properties[place].names.wire
                #expect(paged.lines == whole.lines, "\(name) \(isDescending ? "descending" : "ascending")")
            }
        }
    }

    /// The tables with their rows.
    private static func script(_ world: ExpressionWorld, isOdd: Bool) throws -> String {
        try zip(world.model.sets, ExpressionWorld.rows).map { set, rows in
            let isKey = { (property: Property) in property.names.wire == "Id" }
            let columns = set.type.properties.map { property in
                "\"\(property.names.database)\" \(isOdd && !isKey(property) ? oddType(property) : type(property))"
            }
            let table = "CREATE TABLE \"\(set.names.database)\" (\(columns.joined(separator: ", ")));"
            let inserts = try rows.map { row in
                let values = try zip(zip(row, world.values(row, set)), set.type.properties).map { cell, property in
                    guard let text = cell.0 else { return "NULL" }
                    guard property.storage == .native else {
                        return literal(try #require(world.stored(cell.1, property), "\(property.names.wire)"))
                    }
                    return isOdd && property.type == .boolean ? (text == "true" ? "1" : "0") : literal(text, property)
                }
                return "INSERT INTO \"\(set.names.database)\" VALUES (\(values.joined(separator: ", ")));"
            }
            return ([table] + inserts).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private static func type(_ property: Property) -> String {
        switch property.storage {
        case .decimalScaled, .unixSeconds, .unixMilliseconds: return "bigint"
        case .guidBlob: return "bytea"
        case .julianDay: return "double precision"
        case .decimalText, .guidUpper, .sqlText, .booleanText, .memberName: return "text"
        default: break
        }
        switch property.type {
        case .boolean: return "boolean"
        case .int32: return "integer"
        case .int64: return "bigint"
        case .decimal: return "numeric(\(property.precision ?? 19), \(property.scale ?? 4))"
        case .double: return "double precision"
        case .date: return "date"
        case .dateTimeOffset: return "timestamp(3) with time zone"
        case .timeOfDay: return "time(3)"
        case .duration: return "interval"
        case .guid: return "uuid"
        case .binary: return "bytea"
        default: return "text"
        }
    }

    private static func oddType(_ property: Property) -> String {
        if property.structure != nil { return "jsonb" }
        guard property.storage == .native else {
            let usual = type(property)
            return usual == "text" ? "varchar(100)" : usual == "bigint" ? "numeric(20)" : usual
        }
        switch property.type {
        case .boolean: return "smallint"
        case .int32: return "bigint"
        case .int64: return "numeric(20)"
        case .decimal: return "numeric"
        case .dateTimeOffset: return "timestamp(3)"
        case .guid: return "text"
        case .string: return "varchar(200) COLLATE \"de-x-icu\""
        default: return type(property)
        }
    }

    private static func literal(_ text: String, _ property: Property) -> String {
        if property.type == .duration, text.hasPrefix("-") { return "-'\(text.dropFirst())'::interval" }
        guard property.type == .binary, case .binary(let bytes)? = Value(text: text, as: .binary) else {
            return "'\(text.replacing("'", with: "''"))'"
        }
        return literal(.blob(bytes))
    }

    private static func literal(_ stored: SQLValue) -> String {
        switch stored {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text), .typed(let text, _): "'\(text.replacing("'", with: "''"))'"
        case .blob(let bytes):
            "'\\x" + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "'"
        }
    }
}
