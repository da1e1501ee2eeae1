// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineModel
import TidelineTestSupport

@testable import Tideline

@Entity("Buyers")
struct Buyer: Equatable {
    @Key @Name("BuyerId") var id: Int32
    var name: String
}

@Entity("Bills")
@HasMany("Lines", of: BillLine.self, inverse: "Bill", onDelete: .cascade)
struct Bill: Equatable {
    @Key @Name("BillId") var id: Int32
    @Reference("Buyer", to: Buyer.self) var buyerId: Int32?
    @Calculated("Lines/aggregate(Amount with sum)") var orderSum: EdmDecimal?
    @Calculated("Buyer/Name") var customerName: String?
    @Calculated("Lines/$count") var lineCount: Int64?
}

@Entity("BillLines")
struct BillLine: Equatable {
    @Key @Name("LineId") var id: Int32
    @Reference("Bill", to: Bill.self) var billId: Int32
    @Precision(12, scale: 2) var amount: EdmDecimal
    @Calculated("Bill/OrderSum") var billSum: EdmDecimal?
}

struct CalculatedTests {
    private let world: QueryStore
    private var store: LocalStore { world.store }

    init() throws {
        world = try QueryStore(EntityModel(Buyer.self, Bill.self, BillLine.self))
        try world.store.write { tx in
            try tx.insert(contentsOf: [Buyer(id: 1, name: "Ann"), Buyer(id: 2, name: "Bob")])
            try tx.insert(Bill(id: 1, buyerId: 1))
            try tx.insert(Bill(id: 2, buyerId: 2))
            try tx.insert(Bill(id: 3))
            for (id, bill, amount) in [(1, 1, 0.10), (2, 1, 0.20), (3, 2, 100)] as [(Int32, Int32, EdmDecimal)] {
                try tx.insert(BillLine(id: id, billId: bill, amount: amount))
            }
        }
    }

    @Test(.covers("DA-53"))
    func `the sum of an order is that of its details, exactly, after every edit of one`() throws {
        #expect(try store.fetch(Bill.all).map(\.orderSum) == [0.30, 100, nil])
        #expect(try store.fetch(Bill.all).map(\.lineCount) == [2, 1, 0])
        try store.write { tx in try tx.update(BillLine(id: 2, billId: 1, amount: 0.25)) }
        #expect(try store.fetch(Bill.self, key: Int32(1))?.orderSum == 0.35)
        try store.write { tx in _ = try tx.delete(BillLine(id: 3, billId: 2, amount: 100)) }
        #expect(try store.fetch(Bill.self, key: Int32(2))?.orderSum == nil)
        let inside = try store.write { tx in
            try tx.insert(BillLine(id: 4, billId: 3, amount: 7))
            return try tx.first(Bill.where { $0.id == 3 })?.orderSum
        }
        #expect(inside == 7)
    }

    @Test(.covers("DA-54"))
    func `the name of the client follows a change of the client at once, and is nil without one`() throws {
        #expect(try store.fetch(Bill.all).map(\.customerName) == ["Ann", "Bob", nil])
        try store.write { tx in try tx.update(Buyer(id: 1, name: "Anna")) }
        #expect(try store.fetch(Bill.all).map(\.customerName) == ["Anna", "Bob", nil])
        try store.write { tx in try tx.update(Bill(id: 1, buyerId: 2)) }
        #expect(try store.fetch(Bill.all).map(\.customerName) == ["Bob", "Bob", nil])
        // A key that leads to nothing.
        try store.raw { sql in _ = try sql.execute("DELETE FROM Bills WHERE BillId = ?", [.integer(3)]) }
        #expect(try store.fetch(Bill.where { $0.customerName == nil }).isEmpty)
    }

    @Test func `queries name calculated properties like others, behind relationships too`() throws {
        #expect(try store.fetch(Bill.where { $0.orderSum > 1 }).map(\.id) == [2])
        #expect(try store.fetch(Bill.all.sorted { $0.customerName }).map(\.id) == [3, 1, 2])
        #expect(try store.sum(of: Bill.all) { $0.orderSum } == 100.30)
        #expect(try store.fetch(BillLine.where { $0.bill.customerName == "Ann" }).map(\.id) == [1, 2])
        #expect(try store.fetch(BillLine.all).map(\.billSum) == [0.30, 0.30, 100])
        #expect(try store.fetch(Bill.where { $0.lines.any { $0.billSum > 50 } }).map(\.id) == [2])
        let groups = try store.fetch(BillLine.all.grouped(by: { $0.bill.customerName }) { $0.amount.sum })
        #expect(groups.map(\.key) == ["Ann", "Bob"])
        #expect(groups.map(\.values) == [0.30, 100])
        let values = try store.values(of: Bill.all) { ($0.id, $0.orderSum, $0.lines.count) }
        #expect(values.map(\.1) == [0.30, 100, nil])
        #expect(values.map(\.2) == [2, 1, 0])
    }

    @Test func `to-many relationships have sums, means, least and greatest as terms`() throws {
        let sums = try store.values(of: Bill.all) { bill in
            (
                bill.lines.sum { $0.amount }, bill.lines.average { $0.amount }, bill.lines.min { $0.amount },
                bill.lines.max { $0.amount }
            )
        }
        #expect(sums.map(\.0) == [0.30, 100, nil])
        #expect(sums.map(\.1) == [0.15, 100, nil])
        #expect(sums.map(\.2) == [0.10, 100, nil])
        #expect(sums.map(\.3) == [0.20, 100, nil])
        #expect(try store.fetch(Bill.where { $0.lines.all { $0.amount < 1 } }).map(\.id) == [1, 3])
        #expect(try store.fetch(Bill.where { $0.lines.isEmpty }).map(\.id) == [3])
    }

    @Test func `live entities hear of what their calculated properties are made of`() async throws {
        var states = store.live(Bill.where { $0.id == 1 }).makeAsyncIterator()
        #expect(try await states.next()?.map(\.orderSum) == [0.30])
        try await store.write { tx in try tx.insert(BillLine(id: 9, billId: 1, amount: 1)) }
        #expect(try await states.next()?.map(\.orderSum) == [1.30])
        try await store.write { tx in try tx.update(Buyer(id: 1, name: "Anna")) }
        #expect(try await states.next()?.map(\.customerName) == ["Anna"])
    }

    @Test func `a bill comes with its lines and its buyer in one fetch`() throws {
        let rows = try store.fetch(
            Bill.all.sorted(descending: true) { $0.id }.including(
                .many(BillLine.all.sorted(descending: true) { $0.amount }) { $0.lines },
                .one(Buyer.self) { $0.buyer }
            )
        )
        #expect(rows.map(\.0.id) == [3, 2, 1])
        #expect(rows.map(\.0.orderSum) == [nil, 100, 0.30])
        #expect(rows.map { $0.1.map(\.id) } == [[], [3], [2, 1]])
        #expect(rows.map { $0.1.map(\.billSum) } == [[], [100], [0.30, 0.30]])
        #expect(rows.map(\.2) == [nil, Buyer(id: 2, name: "Bob"), Buyer(id: 1, name: "Ann")])
        let first = try store.fetch(Bill.all.limit(1).including(.many(BillLine.all.limit(1)) { $0.lines }))
        #expect(first.map { $0.1.map(\.id) } == [[1]])
    }

    @Test func `a store that knows nothing of calculated properties fills them too`() throws {
        var model = EntityModel(Buyer.self, Bill.self, BillLine.self)
        model = EntityModel(
            namespace: model.namespace,
            sets: model.sets.map { set in
                var plain = set
                plain.type.calculatedProperties = []
                return plain
            }
        )
        let other = try QueryStore(model)
        try other.store.write { tx in
            try tx.insert(Bill(id: 1))
            try tx.insert(BillLine(id: 1, billId: 1, amount: 5))
        }
        #expect(try other.store.fetch(Bill.all).map(\.orderSum) == [5])
        #expect(try other.store.fetch(BillLine.where { $0.bill.orderSum == 5 }).map(\.billSum) == [5])
        #expect(try other.store.fetch(Bill.self, key: Int32(1))?.lineCount == 1)
    }

    @Test func `the service is asked for no calculated property`() async throws {
        let request = try Bill.all.request()
        #expect(request.link.removingPercentEncoding == "Bills?$select=BillId,BuyerId")
        #expect(throws: (any Error).self) { try Bill.where { $0.orderSum > 1 }.request() }
        let included = try Bill.all.including(.many { $0.lines }).request()
        #expect(
            included.link.removingPercentEncoding
                == "Bills?$select=BillId,BuyerId&$expand=Lines($select=LineId,BillId,Amount)"
        )
    }
}
