// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import PCTrade
import Testing
import Tideline
import TidelineTestSupport

/// The lists of clients and orders, as somebody uses them.
@MainActor
@Suite(.covers("DA-99"), .timeLimit(.minutes(2)))
struct OrderScreenTests {
    private let world: TradeWorld
    private var store: LocalStore { world.store }

    init() throws { world = try TradeWorld() }

    @Test func `numbers of orders have their colours, pictures and words`() {
        let marks = ([0, 1, 2, 3, 7] as [Int64]).map(OrdersMark.init(count:))
        #expect(marks.map(\.colour) == [.blue, .orange, .magenta, .red, .red])
        #expect(marks.map(\.icon) == [1, 2, 3, 4, 4])
        #expect(marks.map(\.text) == ["No orders", "1 order", "2 orders", "3 orders", "7 orders"])
    }

    @Test func `the status names stand in their order, and an unknown one is an error`() throws {
        #expect(OrderStatus.allCases.map(\.name) == ["New", "Pending", "Closed", "Deleted"])
        #expect(OrderStatus.allCases.map(\.rawValue) == [0, 1, 2, 3])
        #expect(try OrderStatus(name: "Closed") == .closed)
        #expect(throws: PCTradeError.unknownStatus("Lost")) { try OrderStatus(name: "Lost") }
        #expect(OrderStatus.name(of: 3) == "Deleted")
        #expect(OrderStatus.name(of: 4) == "Unknown state")
    }

    @Test func `clients show their numbers of orders, and follow a new one`() async throws {
        let screen = ClientListModel(store)
        #expect(screen.title == "Our Clients")
        await Viewer.wait(for: screen.clients) { $0.count == 2 }
        #expect(screen.lines.map(\.title) == ["Ann", "Bob"])
        #expect(screen.lines.map(\.subtitle) == ["555", ""])
        #expect(screen.lines.map(\.orders.text) == ["2 orders", "No orders"])
        #expect(screen.lines.map(\.hasDisclosure) == [true, false])
        let order = Order(orderDate: TradeWorld.day, clientId: TradeWorld.bob.clientId)
        try await store.write { _ = try $0.insert(order) }
        await Viewer.wait(for: screen.clients) { _ in screen.lines.last?.hasDisclosure == true }
        #expect(screen.lines.map(\.orders.colour) == [.magenta, .orange])
    }

    @Test func `orders show date, exact sum and status, and follow their details`() async throws {
        let screen = OrderListModel(store, client: TradeWorld.ann)
        #expect(screen.title == "Ann")
        await Viewer.wait(for: screen.orders) { $0.count == 2 }
        #expect(screen.lines.map(\.date.text) == ["2025-06-15", "2025-06-16"])
        #expect(screen.lines.map(\.sum) == [0.30, 0])
        #expect(screen.lines.map(\.status) == ["New", "Pending"])
        var detail = try #require(try store.first(OrderDetail.where { $0.total == 0.20 }))
        detail.total = 0.25
        try await store.write { [detail] in _ = try $0.update(detail) }
        await Viewer.wait(for: screen.orders) { _ in screen.lines.first?.sum == 0.35 }
        #expect(screen.lines.map(\.sum) == [0.35, 0])
    }

    @Test func `the program adds clients and orders, and sets a status`() throws {
        let program = PCTradeProgram(store) { TradeWorld.day }
        #expect(try program.run(["add-client", "Cid"]) == ["Ann  2 orders", "Bob  No orders", "Cid  No orders"])
        #expect(try program.run(["add-order", "Cid"]) == ["1  2025-06-15  0  New"])
        #expect(try program.run(["status", "Cid", "1", "Closed"]) == ["1  2025-06-15  0  Closed"])
        #expect(throws: PCTradeError.unknownStatus("Lost")) { try program.run(["status", "Cid", "1", "Lost"]) }
        #expect(throws: PCTradeError.noSuchOrder) { try program.run(["status", "Cid", "2", "New"]) }
        #expect(throws: PCTradeError.noSuchClient("Dan")) { try program.run(["orders", "Dan"]) }
    }
}
