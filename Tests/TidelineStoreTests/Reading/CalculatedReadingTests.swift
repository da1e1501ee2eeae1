// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage
import TidelineTestSupport

@testable import TidelineStore

/// Calculated properties of orders: `Sum` is that of the details, `Buyer` is the client's name.
struct CalculatedReadingTests {
    private static func number(_ text: String) -> EdmDecimal { EdmDecimal(text) ?? EdmDecimal(coefficient: -1) }

    private static let ann = Key([.guid(GUID(high: 1, low: 1))])
    private static let bob = Key([.guid(GUID(high: 2, low: 2))])

    /// An order with its calculated properties, written by hand as the macro writes one.
    private struct Bill: Entity, Equatable {
        static let entitySet: EntitySet = {
            var set = CalculatedReadingTests.model.sets[1]
            set.type.properties = Fixture.model.sets[1].type.properties
            return set
        }()

        var id: Int32
        var status: Int32
        var sum: EdmDecimal?
        var buyer: String?

        init(id: Int32, status: Int32, sum: EdmDecimal?, buyer: String?) {
            (self.id, self.status, self.sum, self.buyer) = (id, status, sum, buyer)
        }

        init(row: inout RowCursor) throws {
            id = try Int32.read(from: &row)
            row.skip()
            status = try Int32.read(from: &row)
            row.skip()
            sum = try EdmDecimal?.read(from: &row)
            buyer = try String?.read(from: &row)
        }

        func bind(into binder: inout Binder) {}
    }

    private static let model: EntityModel = {
        var sets = Fixture.model.sets
        sets[1].type.calculatedProperties = [
            CalculatedProperty(
                names: Names(wire: "Sum"),
                type: .decimal,
                expression: .aggregate(
                    over: ["Details"],
                    [AggregateItem(.expression(.path(["Total"])), with: .sum)]
                )
            ),
            CalculatedProperty(
                names: Names(wire: "Buyer"),
                type: .string,
                expression: .path(["ClientRef", "Name"])
            ),
        ]
        return Fixture.model.replacing(sets: sets)
    }()

    private let folder: TestFolder
    private let store: LocalStore

    init() throws {
        folder = try TestFolder()
        store = try LocalStore.create(path: folder.file("a.tideline"), model: Self.model)
        try store.write { tx in
            try tx.insert(["ClientId": Self.ann.values[0], "Name": .string("Ann")], into: "Clients")
            try tx.insert(["ClientId": Self.bob.values[0], "Name": .string("Bob")], into: "Clients")
            let first = try tx.insert(["Client": Self.ann.values[0]], into: "Orders")
            let second = try tx.insert(["Status": .integer(1)], into: "Orders")
            try tx.insert(["Order": first.values[0], "Total": .decimal(Self.number("2.5"))], into: "Details")
            try tx.insert(["Order": first.values[0], "Total": .decimal(Self.number("0.25"))], into: "Details")
            #expect(first == Key([.integer(-1)]))
            #expect(second == Key([.integer(-2)]))
        }
    }

    /// All orders, with their calculated values.
    private func plan(orderBy: String = "OrderId") throws -> ReadPlan {
        let set = Self.model.sets[1]
        let checker = ExpressionChecker(model: Self.model, set: set)
        var plan = ReadPlan(model: Self.model, set: set, includesETag: false)
        plan.computedNames = ["Sum", "Buyer"]
        plan.computed = try plan.computedNames.map { try checker.check(.path([$0])) }
        plan.orderBy = [ReadPlan.SortKey(try checker.check(.path([orderBy])), isDescending: true)]
        return plan
    }

    @Test func `rows by name have the calculated values`() throws {
        let rows = try store.fetch(plan())
        #expect(rows.map { $0["OrderId"] } == [.integer(-1), .integer(-2)])
        #expect(rows.map { $0["Sum"] } == [.decimal(Self.number("2.75")), .null])
        #expect(rows.map { $0["Buyer"] } == [.string("Ann"), .null])
        #expect(try store.fetchExpanded(plan()).map { $0.values["Sum"] } == [.decimal(Self.number("2.75")), .null])
    }

    @Test func `an order by a calculated property is that of its values, null last where it descends`() throws {
        #expect(try store.fetch(plan(orderBy: "Sum")).map { $0["OrderId"] } == [.integer(-1), .integer(-2)])
        var ascending = try plan(orderBy: "Sum")
        ascending.orderBy[0].isDescending = false
        #expect(try store.fetch(ascending).map { $0["OrderId"] } == [.integer(-2), .integer(-1)])
    }

    @Test func `typed entities are filled, by a plan and by their key`() throws {
        let first = Bill(id: -1, status: 0, sum: Self.number("2.75"), buyer: "Ann")
        let second = Bill(id: -2, status: 1, sum: nil, buyer: nil)
        #expect(try store.fetch(Bill.self, plan()) == [first, second])
        #expect(try store.read { try $0.fetch(Bill.self, key: Key([.integer(-1)])) } == first)
        #expect(try store.read { try $0.fetch(Bill.self, key: Key([.integer(-2)])) } == second)
        #expect(try store.read { try $0.fetch(Bill.self, key: Key([.integer(-3)])) } == nil)
    }

    @Test func `computed columns are found behind those that the order needs`() throws {
        var plan = try plan()
        // The key and the date stand in the statement for the order alone.
        plan.columns = [2]
        let set = Self.model.sets[1]
        let date = try ExpressionChecker(model: Self.model, set: set).check(.path(["OrderDate"]))
        plan.orderBy.insert(ReadPlan.SortKey(date), at: 0)
        let rows = try store.reading { connection in
            try connection.rows(plan) { row in
                (try Int32.read(from: &row), try EdmDecimal?.read(from: &row), try String?.read(from: &row))
            }
        }
        #expect(rows.map(\.0) == [0, 1])
        #expect(rows.map(\.1) == [Self.number("2.75"), nil])
        #expect(rows.map(\.2) == ["Ann", nil])
    }

    @Test func `live results hear of what calculated values are made of`() async throws {
        var results = store.results(of: Bill.self, try plan()).makeAsyncIterator()
        #expect(try await results.next()?.rows.map(\.sum) == [Self.number("2.75"), nil])
        try await store.write { tx in
            try tx.insert(["Order": .integer(-2), "Total": .decimal(Self.number("7"))], into: "Details")
        }
        let next = try await results.next()
        #expect(next?.rows.map(\.sum) == [Self.number("2.75"), Self.number("7")])
        let place = ListPlace(section: 0, row: 1)
        #expect(next?.batch.changes == [.update(Key([.integer(-2)]), from: place, to: place)])
        try await store.write { tx in _ = try tx.update(Self.ann, ["Name": .string("Anna")], in: "Clients") }
        #expect(try await results.next()?.rows.map(\.buyer) == ["Anna", nil])
    }

    @Test func `times and durations are read as computed`() throws {
        let set = Self.model.sets[1]
        let checker = ExpressionChecker(model: Self.model, set: set)
        var plan = ReadPlan(model: Self.model, set: set, top: 1, columns: [0], includesETag: false)
        let day = DateTimeOffset(seconds: 86_400)
        let noon = Expression.literal(.dateTimeOffset(DateTimeOffset(seconds: 43_200)))
        plan.computedNames = ["T", "D", "M", "B", "G"]
        plan.computed = try [
            .call(.time, [noon]), .binary(.sub, .literal(.dateTimeOffset(day)), noon), noon,
            .binary(.equal, .path(["Status"]), .literal(.integer(1))), .path(["Client"]),
        ].map { try checker.check($0) }
        let row = try #require(try store.fetch(plan).first)
        #expect(row["T"] == .timeOfDay(TimeOfDay(nanoseconds: 43_200_000_000_000)))
        #expect(row["D"] == .duration(.seconds(43_200)))
        #expect(row["M"] == .dateTimeOffset(DateTimeOffset(seconds: 43_200)))
        #expect(row["B"] == .boolean(true))
        #expect(row["G"] == .null)
    }
}
