// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage
import TidelineStorageTesting
import TidelineTestSupport

@testable import TidelinePostgres

@Suite(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
struct ColumnFormTests {
    /// A column, a value of it in SQL, and its canonical text.
    struct Case: CustomTestStringConvertible {
        let column: String
        let type: PrimitiveType
        let sql: String
        let text: String?
        let storage: StorageForm
        var testDescription: String { "\(column) \(sql)" }

        init(_ column: String, _ type: PrimitiveType, _ sql: String, _ text: String?, _ storage: StorageForm = .native)
        {
            self.column = column
            self.type = type
            self.sql = sql
            self.text = text
            self.storage = storage
        }
    }

    /// Worked out by hand; `nil` where the value is none of the type.
    static let cases: [Case] = [
        Case("numeric", .decimal, "0", "0"), Case("numeric", .decimal, "-0.50", "-0.5"),
        Case("numeric", .decimal, "10000", "10000"), Case("numeric", .decimal, "0.0001", "0.0001"),
        Case("numeric", .decimal, "0.00001234", "0.00001234"), Case("numeric", .decimal, "100000000.1", "100000000.1"),
        Case("numeric", .decimal, "99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
        Case("numeric", .decimal, "1e38", nil), Case("numeric", .decimal, "'NaN'", nil),
        Case(
            "numeric",
            .decimal,
            "0.00000000000000000000000000000000000001",
            "0.00000000000000000000000000000000000001"
        ),
        Case("numeric(10,2)", .decimal, "12.3", "12.3"), Case("money", .decimal, "'12.30'::numeric::money", "12.3"),
        Case("real", .decimal, "0.5", "0.5"), Case("int", .decimal, "7", "7"),
        Case("real", .single, "0.5", "0.5"), Case("double precision", .double, "'-Infinity'", "-INF"),
        Case("smallint", .byte, "255", "255"), Case("smallint", .byte, "256", nil),
        Case("numeric(5,0)", .int64, "12345", "12345"), Case("oid", .int64, "4000000000", "4000000000"),
        Case("date", .date, "'2024-02-29'", "2024-02-29"), Case("date", .date, "'infinity'", nil),
        Case("date", .date, "'9999-12-31'", "9999-12-31"), Case("date", .date, "'10000-01-01'", nil),
        Case("timestamptz", .dateTimeOffset, "'9999-12-31 23:59:59Z'", "9999-12-31T23:59:59Z"),
        Case("timestamptz", .dateTimeOffset, "'10000-01-01 00:00:00Z'", nil),
        Case("date", .date, "'0044-03-15 BC'", "-0043-03-15"),
        Case("timestamptz", .dateTimeOffset, "'2024-02-29 13:05:09.120+02'", "2024-02-29T11:05:09.12Z"),
        Case("timestamp", .dateTimeOffset, "'1969-12-31 23:59:59.999999'", "1969-12-31T23:59:59.999999Z"),
        Case("timestamptz", .dateTimeOffset, "'-infinity'", nil), Case("time", .timeOfDay, "'13:05'", "13:05:00"),
        Case("time", .timeOfDay, "'24:00'", nil), Case("timetz", .timeOfDay, "'13:05:09.5+00'", "13:05:09.5"),
        Case("interval", .duration, "'1 day 12:00:00.5'", "P1DT12H0.5S"), Case("interval", .duration, "'1 month'", nil),
        Case("interval", .duration, "'-90 minutes'", "-PT1H30M"),
        Case("uuid", .guid, "'ABCDEF00-0000-4000-8000-0000000000FF'", "abcdef00-0000-4000-8000-0000000000ff"),
        Case("text", .guid, "'ABCDEF00-0000-4000-8000-0000000000FF'", "abcdef00-0000-4000-8000-0000000000ff"),
        Case("char(5)", .string, "'ab'", "ab"), Case("name", .string, "'n'", "n"),
        Case("mood", .string, "'so so'", "so so"), Case("posint", .int32, "5", "5"),
        Case("json", .string, #"'{"a": 1}'"#, #"{"a": 1}"#),
        Case("jsonb", .string, #"'{"b":2,"a": 1}'"#, #"{"a": 1, "b": 2}"#),
        Case("int[]", .string, "'{1,NULL,3}'", "[1,null,3]"),
        Case("mood[]", .string, "'{happy,so so}'", #"["happy","so so"]"#),
        Case("inet", .string, "'10.0.0.1/8'", "10.0.0.1/8"), Case("xml", .string, "'<a/>'", "<a/>"),
        Case("int", .boolean, "1", "true"),
        Case("bigint", .dateTimeOffset, "1709211909", "2024-02-29T13:05:09Z", .unixSeconds),
        Case(
            "bytea",
            .guid,
            "'\\xabcdef000000400080000000000000ff'",
            "abcdef00-0000-4000-8000-0000000000ff",
            .guidBlob
        ),
        Case("bigint", .decimal, "1234", "12.34", .decimalScaled),
        Case("text", .decimal, "'1.50'", "1.5", .decimalText),
    ]

    private func world(_ cases: [Case]) throws -> (PostgresStore, EntitySet, String) {
        var properties = [Property(names: Names(wire: "Id", database: "id"), type: .int32, isNullable: false)]
        for (place, item) in cases.enumerated() {
            properties.append(
                Property(
                    names: Names(wire: "C\(place)", database: "c\(place)"),
                    type: item.type,
                    scale: item.storage == .decimalScaled ? 2 : nil,
                    storage: item.storage
                )
            )
        }
        let set = EntitySet(
            names: Names(wire: "T", database: "t"),
            type: EntityType(names: Names(wire: "T"), properties: properties, key: [0])
        )
        let columns = cases.enumerated().map { "c\($0) \($1.column)" }
        let conninfo = try PostgresCluster.shared().makeDatabase(
            """
            CREATE TYPE mood AS ENUM ('sad', 'so so', 'happy');
            CREATE DOMAIN posint AS int CHECK (value > 0);
            CREATE TABLE t (id int PRIMARY KEY, \(columns.joined(separator: ", ")));
            INSERT INTO t VALUES (1, \(cases.map(\.sql).joined(separator: ", ")));
            """
        )
        let model = EntityModel(namespace: "Test", sets: [set])
        return (try PostgresStore(conninfo: conninfo, model: model, options: .untracked), set, conninfo)
    }

    @Test func `each type of PostgreSQL is read in its canonical text, and written back the same`() throws {
        let readable = Self.cases.filter { $0.text != nil }
        let (store, set, _) = try world(readable)
        let plan = ReadPlan(model: store.model, set: set)
        let recorder = RowRecorder()
        _ = try store.read { try $0.read(plan, into: recorder) }
        #expect(recorder.lines == ["1|" + readable.map { $0.text ?? "" }.joined(separator: "|")])

        let entity = try #require(try store.read { try $0.entity(Key([.integer(1)]), in: set) })
        #expect(entity.etag == recorder.etags[0])
        for (place, item) in readable.enumerated() {
            #expect(entity.values[place + 1] == Value(text: item.text ?? "", as: item.type), "\(item.testDescription)")
        }
        // Boolean in an integer column is read, and written by nobody; a year before the first likewise.
        let places = readable.indices.filter { readable[$0].column != "int" || readable[$0].type != .boolean }
        var values: [Int: Value] = [0: .integer(2)]
        for place in places { values[place + 1] = entity.values[place + 1] }
        try store.write { writer in
            #expect(try writer.insert(values, into: set) == Key([.integer(2)]))
            let copy = try #require(try writer.entity(Key([.integer(2)]), in: set))
            for place in places {
                #expect(copy.values[place + 1] == entity.values[place + 1], "\(readable[place].column)")
            }
        }
    }

    /// What PostgreSQL writes for each value that is none of its type; nothing where that is no short text here.
    private static let held = [
        "1e38": "", "'NaN'": "NaN", "256": "256", "'infinity'": "infinity", "'-infinity'": "-infinity",
        "'24:00'": "24:00:00", "'1 month'": "", "'10000-01-01'": "", "'10000-01-01 00:00:00Z'": "",
    ]

    @Test(arguments: cases.filter { $0.text == nil })
    func `a value that is none of the type is told as an exception, and null stands in its place`(item: Case) throws {
        let (store, set, _) = try world([item])
        let recorder = RowRecorder()
        _ = try store.read { try $0.read(ReadPlan(model: store.model, set: set), into: recorder) }
        #expect(recorder.lines == ["1|!\(try #require(Self.held[item.sql]))"])
        let entity = try #require(try store.read { try $0.entity(Key([.integer(1)]), in: set) })
        #expect(entity.values == [.integer(1), .null])
        #expect(recorder.etags == [entity.etag])
    }

    @Test func `a column is found by what it is equal to, whatever its type`() throws {
        let readable = Self.cases.filter { $0.text != nil && $0.column != "xml" && $0.column != "json" }
        let (store, set, _) = try world(readable)
        for (place, item) in readable.enumerated() {
            let value = Value(text: item.text ?? "", as: item.type) ?? .null
            let path = TypedExpression(node: .path(.init(property: place + 1)), type: item.type)
            let literal = TypedExpression(node: .literal(value), type: item.type)
            let condition = TypedExpression(node: .binary(.equal, path, literal), type: .boolean)
            let found = try store.read {
                try $0.satisfies(condition, key: Key([.integer(1)]), in: set, user: .anonymous)
            }
            #expect(found, "\(item.testDescription)")
            let plan = ReadPlan(model: store.model, set: set, orderBy: [.init(path)], top: 1)
            #expect(try store.read { try $0.read(plan, into: RowRecorder()) }.rows == 1)
        }
    }
}
