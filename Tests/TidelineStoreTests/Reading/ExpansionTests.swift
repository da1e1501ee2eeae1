// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

@testable import TidelineStore

/// Client 1 has the orders 10 (details 100, 101, 102) and 11 (none); order 12 has no client.
struct ExpansionTests {
    let folder: TestFolder
    let store: LocalStore
    let client = Value.guid(GUID(high: 1, low: 1))

    init() throws {
        folder = try TestFolder()
        store = try Fixture.store(folder)
        let moment = Value.dateTimeOffset(DateTimeOffset(seconds: 60, nanoseconds: 500_000_000))
        try Fixture.load(store, "Clients", [([client, .string("Ann"), .null], 1)])
        try Fixture.load(
            store,
            "Orders",
            [
                ([.integer(10), moment, .integer(0), client], 1), ([.integer(11), .null, .integer(5), client], 2),
                ([.integer(12), .null, .integer(0), .null], 3),
            ]
        )
        try Fixture.load(
            store,
            "Details",
            [100, 101, 102].map { ([.integer($0), .integer(10), total($0), .null], UInt64($0)) }
        )
    }

    func total(_ number: Int64) -> Value { .decimal(EdmDecimal(coefficient: Int128(number), scale: 1)) }

    /// The condition `property gt value`.
    func greater(_ property: Int, _ type: PrimitiveType, _ value: Value) -> TypedExpression {
        TypedExpression(
            node: .binary(
                .greaterThan,
                TypedExpression(node: .path(.init(property: property)), type: type),
                TypedExpression(node: .literal(value), type: type)
            ),
            type: .boolean
        )
    }

    @Test func `each row comes with its related rows, none where there are none`() throws {
        var plan = try Fixture.plan(store, "Orders")
        plan.columns = [0]
        plan.expansions = [
            try Fixture.expansion(store, "Orders", "Details") { $0.columns = [0, 2] },
            try Fixture.expansion(store, "Orders", "ClientRef") { $0.columns = [1] },
        ]
        let details = [100, 101, 102].map { ExpandedRow(values: ["DetailId": .integer($0), "Total": total($0)]) }
        let ann = RelatedRows(rows: [ExpandedRow(values: ["Name": .string("Ann")])])
        #expect(
            try store.fetchExpanded(plan) == [
                ExpandedRow(
                    values: ["OrderId": .integer(10)],
                    related: ["Details": RelatedRows(rows: details), "ClientRef": ann]
                ),
                ExpandedRow(
                    values: ["OrderId": .integer(11)],
                    related: ["Details": RelatedRows(rows: []), "ClientRef": ann]
                ),
                ExpandedRow(
                    values: ["OrderId": .integer(12)],
                    related: ["Details": RelatedRows(rows: []), "ClientRef": RelatedRows(rows: [])]
                ),
            ]
        )
        #expect(try store.count(plan) == 3)
    }

    @Test func `filter, order, top and count hold in an expansion, for each row`() throws {
        var plan = try Fixture.plan(store, "Orders")
        plan.columns = [0]
        plan.expansions = [
            try Fixture.expansion(store, "Orders", "Details", count: true) {
                $0.columns = [0]
                $0.filter = greater(2, .decimal, total(100))
                $0.orderBy = [
                    .init(TypedExpression(node: .path(.init(property: 2)), type: .decimal), isDescending: true)
                ]
                $0.top = 1
            }
        ]
        let related = try store.fetchExpanded(plan).map { $0.related["Details"] }
        #expect(
            related == [
                RelatedRows(rows: [ExpandedRow(values: ["DetailId": .integer(102)])], count: 2),
                RelatedRows(rows: [], count: 0), RelatedRows(rows: [], count: 0),
            ]
        )
    }

    @Test func `expansions nest, and a transaction sees its own changes in them`() throws {
        var plan = try Fixture.plan(store, "Clients")
        plan.columns = [1]
        plan.expansions = [
            try Fixture.expansion(store, "Clients", "Orders") { orders in
                orders.columns = [0]
                orders.filter = greater(2, .int32, .integer(3))
                orders.expansions = [
                    try Fixture.expansion(store, "Orders", "Details") { $0.columns = [0, 1] },
                    try Fixture.expansion(store, "Orders", "ClientRef") { $0.columns = [0] },
                ]
            }
        ]
        let rows = try store.write { tx in
            try tx.insert(["Order": .integer(11)], into: "Details")
            return try tx.fetchExpanded(plan)
        }
        let detail = ExpandedRow(values: ["DetailId": .integer(-1), "Order": .integer(11)])
        let back = ExpandedRow(values: ["ClientId": client])
        #expect(
            rows == [
                ExpandedRow(
                    values: ["Name": .string("Ann")],
                    related: [
                        "Orders": RelatedRows(rows: [
                            ExpandedRow(
                                values: ["OrderId": .integer(11)],
                                related: [
                                    "Details": RelatedRows(rows: [detail]), "ClientRef": RelatedRows(rows: [back]),
                                ]
                            )
                        ])
                    ]
                )
            ]
        )
        #expect(try store.fetchExpanded(plan) == rows)
    }

    @Test func `a sink gets canonical text, no ETag, and pages end where the plan says`() throws {
        var plan = try Fixture.plan(store, "Orders")
        plan.columns = [1]
        plan.pageLimit.rows = 2
        plan.expansions = [try Fixture.expansion(store, "Orders", "ClientRef") { $0.columns = [1] }]
        let sink = TraceSink()
        let end = try store.fetch(plan, into: sink)
        #expect(end == PageEnd(rows: 2, continuation: [.integer(11)]))
        #expect(
            sink.trace == [
                "(", "1970-01-01T00:01:00.5Z", "0[", "(", "Ann", ")", "]", ")",
                "(", "null", "0[", "(", "Ann", ")", "]", ")",
            ]
        )
        plan.after = end.continuation
        let rest = TraceSink()
        #expect(try store.fetch(plan, into: rest) == PageEnd(rows: 1, continuation: nil))
        #expect(rest.trace == ["(", "null", "0[", "]", ")"])
    }

    @Test func `rows without a place for related entities refuse an expansion, and a wrong one is told`() throws {
        var plan = try Fixture.plan(store, "Orders")
        plan.expansions = [try Fixture.expansion(store, "Orders", "Details")]
        let refused = #expect(throws: LocalStoreError.self) { try store.fetch(plan) as [[String: Value]] }
        #expect(refused?.code == .unsupported)
        plan.expansions[0].plan = try Fixture.plan(store, "Tags")
        let wrong = #expect(throws: LocalStoreError.self) { try store.fetchExpanded(plan) }
        #expect(wrong?.code == .unknownProperty)
    }
}

/// Writes down what is pushed.
private final class TraceSink: RowSink {
    var trace: [String] = []

    func beginRow() { trace.append("(") }
    func null() { trace.append("null") }
    func boolean(_ value: Bool) { trace.append("\(value)") }
    func integer(_ value: Int64) { trace.append("\(value)") }
    func double(_ value: Double) { trace.append("\(value)") }
    func text(_ utf8: UnsafeRawBufferPointer) { trace.append(unsafe String(decoding: utf8, as: UTF8.self)) }
    func binary(_ bytes: UnsafeRawBufferPointer) { trace.append("bytes") }
    func beginExpansion(_ index: Int) { trace.append("\(index)[") }
    func endExpansion(_ index: Int, count: Int?) { trace.append("]") }
    func endRow(etag: ETag?) { trace.append(etag == nil ? ")" : "etag)") }
}
