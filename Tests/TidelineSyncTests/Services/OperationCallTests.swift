// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing
import TidelineClient
import TidelineModel
import TidelineTestSupport

/// Calls of operations: with the plain result, and with all that they give.
struct OperationCallTests {
    private func world() throws -> World {
        try World(describe: { model in
            let rows = Property(names: Names(wire: "rowsAffected"), type: .int32, isNullable: false)
            model.complexTypes.append(
                ComplexType(
                    names: Names(wire: "CountResult"),
                    properties: [
                        rows, Property(names: Names(wire: "RETURN_VALUE"), type: .int32),
                        Property(names: Names(wire: "count"), type: .int32),
                        Property(names: Names(wire: "name"), type: .string, maxLength: 255),
                    ]
                )
            )
            var count = EdmOperation(
                names: Names(wire: "CountChildren"),
                kind: .action,
                parameters: [
                    OperationParameter(
                        names: Names(wire: "parent"),
                        type: OperationType(.primitive(.int32), isNullable: false),
                        isOptional: true,
                        defaultValue: .integer(1)
                    )
                ],
                returnType: OperationType(.complex("CountResult"), isNullable: false),
                imports: [OperationImport("CountChildren")],
                body: .sql(
                    sqlite: """
                        SELECT 157 AS RETURN_VALUE, (SELECT count(*) FROM Children WHERE ParentId = :parent) AS count,
                            (SELECT Name FROM Parents WHERE Id = :parent) AS name
                        """,
                    postgres: nil
                )
            )
            count.rowsAffectedProperty = "rowsAffected"
            let longest = EdmOperation(
                names: Names(wire: "NameOf"),
                kind: .function,
                parameters: [
                    OperationParameter(
                        names: Names(wire: "label"),
                        type: OperationType(.primitive(.string), isNullable: false)
                    )
                ],
                returnType: OperationType(.primitive(.string), isNullable: true),
                imports: [OperationImport("NameOf")],
                body: .sql(
                    sqlite:
                        "SELECT p.Name || :label FROM Parents p JOIN Children c ON c.ParentId = p.Id WHERE c.Label = 'a'",
                    postgres: nil
                )
            )
            model.operations += [count, longest]
        })
    }

    private func client(_ world: World) throws -> ODataClient {
        ODataClient(
            session: Session(
                address: try ServiceAddress("http://127.0.0.1/odata/test/"),
                transport: ServiceTransport(world.service)
            )
        )
    }

    @Test(.covers("DA-29"))
    func `the plain call gives the result alone, the other one all values`() async throws {
        let client = try client(world())
        #expect(try await client.call("CountChildren", ["parent": .integer(1)]) == .integer(-1))
        let answer = try await client.callWithOutputs("CountChildren", ["parent": .integer(1)])
        #expect(answer.result == .integer(-1))
        #expect(answer.outputs == ["RETURN_VALUE": .integer(157), "count": .integer(2), "name": .string("one")])
        // What is optional may be left out.
        #expect(try await client.callWithOutputs("CountChildren").outputs["count"] == .integer(2))
    }

    @Test(.covers("DA-29"))
    func `both have a form with a closure`() async throws {
        let client = try client(world())
        let (results, sink) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
        var next = results.makeAsyncIterator()
        client.call("CountChildren", ["parent": .integer(2)]) { result in sink.yield(result) }
        #expect(try await next.next()?.get() == .integer(-1))
        client.call("Nothing") { result in sink.yield(result) }
        let refused = await next.next()
        #expect(throws: ClientError.self) { try refused?.get() }
        let (answers, end) = AsyncStream.makeStream(of: Result<OperationAnswer, any Error>.self)
        var answer = answers.makeAsyncIterator()
        client.callWithOutputs("CountChildren", ["parent": .integer(2)]) { result in end.yield(result) }
        #expect(try await answer.next()?.get().outputs["name"] == .string("two"))
    }

    @Test func `a function takes any text`() async throws {
        let client = try client(world())
        for text in ["x", "a&b#c+d%20'e\"", "🎣", ""] {
            #expect(try await client.call("NameOf", ["label": .string(text)]) == .string("one" + text))
        }
    }

    @Test func `an unknown parameter is refused before anything is sent`() async throws {
        let error = await #expect(throws: ClientError.self) {
            try await client(world()).call("CountChildren", ["nothing": .null])
        }
        #expect(error?.code == .refused)
        #expect(error?.advice == "It has: parent.")
    }
}
