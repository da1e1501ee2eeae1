// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import PCTrade
import Testing
import Tideline
import TidelineTestSupport

/// The order editor, as somebody uses it.
@MainActor
@Suite(.covers("DA-99"))
struct OrderEditorTests {
    private let world: TradeWorld
    private var store: LocalStore { world.store }

    init() throws { world = try TradeWorld() }

    private func editor() throws -> OrderEditorModel {
        try OrderEditorModel(store, order: world.order) { TradeWorld.day }
    }

    private func stored() throws -> Order {
        try #require(try store.fetch(Order.self, key: world.order.orderId))
    }

    private func day(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

    @Test func `two groups show date and status, and the client`() throws {
        let sections = try editor().sections
        #expect(sections.map { $0.map(\.title) } == [["Order Date:", "Order Status:"], ["Client:"]])
        #expect(sections.map { $0.map(\.value) } == [["2025-06-15", "New"], ["Ann"]])
    }

    @Test func `a date is previewed, set by done, and stored by save with its time of day`() throws {
        let editor = try editor()
        editor.tapDate()
        #expect(editor.picker == .date(try day("2025-06-15")))
        editor.turn(to: try day("2025-07-01"))
        #expect(editor.sections[0][0].value == "2025-07-01")
        editor.pickerCancel()
        #expect(editor.sections[0][0].value == "2025-06-15")
        editor.tapDate()
        editor.turn(to: try day("2025-07-02"))
        try editor.pickerDone()
        #expect(editor.picker == nil)
        #expect(try stored().orderDate == TradeWorld.day)
        #expect(try editor.save())
        #expect(editor.isDone)
        #expect(try stored().orderDate == DateTimeOffset(seconds: TradeWorld.day.seconds + 17 * 86_400))
    }

    @Test func `another picker closes the one that is open, and sets nothing`() throws {
        let editor = try editor()
        editor.tapDate()
        editor.turn(to: try day("2025-07-01"))
        editor.tapStatus()
        #expect(editor.picker == .status)
        #expect(editor.sections[0][0].value == "2025-06-15")
        try editor.pick(status: "Closed")
        #expect(editor.picker == nil)
        #expect(editor.sections[0][1].value == "Closed")
        #expect(throws: PCTradeError.unknownStatus("Lost")) { try editor.pick(status: "Lost") }
        #expect(editor.sections[0][1].value == "Closed")
        #expect(try editor.save())
        #expect(try stored().orderStatus == 2)
    }

    @Test func `cancel leaves the order as it was`() throws {
        let editor = try editor()
        try editor.pick(status: "Deleted")
        try editor.cancel()
        #expect(editor.isDone)
        #expect(editor.sections[0][1].value == "New")
        #expect(try stored().orderStatus == 0)
    }

    @Test func `a new order has no date, the picker begins today, and cancel leaves nothing of it`() throws {
        let abandoned = try OrderEditorModel(store, newFor: TradeWorld.bob) { TradeWorld.day }
        #expect(abandoned.sections.map { $0.map(\.value) } == [["Click to select", "New"], ["Bob"]])
        try abandoned.cancel()
        #expect(try store.count(Order.all) == 2)

        let editor = try OrderEditorModel(store, newFor: TradeWorld.bob) { TradeWorld.day }
        #expect(try !editor.save())
        #expect(editor.failures.map(\.properties) == [["OrderDate"]])
        #expect(!editor.isDone)
        editor.tapDate()
        #expect(editor.picker == .date(try day("2025-06-15")))
        try editor.pickerDone()
        #expect(try editor.save())
        #expect(editor.failures.isEmpty)
        let order = try #require(try store.first(Order.where { $0.clientId == TradeWorld.bob.clientId }))
        #expect(order.orderDate.date == (try day("2025-06-15")))
        #expect(order.customerName == "Bob")
    }

    @Test func `the name of the client follows the client`() throws {
        let editor = try editor()
        var ann = TradeWorld.ann
        ann.clientName = "Anna"
        try store.write { [ann] tx in _ = try tx.update(ann) }
        #expect(editor.sections[1][0].value == "Anna")
    }

    @Test func `an order that is gone is named so`() throws {
        _ = try store.write { try $0.delete(world.order) }
        #expect(throws: PCTradeError.noSuchOrder) { try editor() }
    }
}
