// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Shopping
import Testing
import Tideline
import TidelineTestSupport

/// The two screens, as somebody uses them.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct AddItemTests {
    private let list: ShoppingList
    private let screen: AddItemModel
    private static let noon = DateTimeOffset(seconds: 1_796_040_000)

    init() throws {
        list = ShoppingList(store: try .temporary(model: ShoppingList.model))
        screen = AddItemModel(list) { Self.noon }
    }

    private func add(_ name: String, _ price: String, _ group: ItemGroup = .groceries) throws -> Bool {
        (screen.name, screen.price, screen.group) = (name, price, group)
        return try screen.add()
    }

    @Test(.covers("MD-I37"))
    func `items are added with group and price, and listed by price with the currency`() async throws {
        #expect(try add("Lamp", "24.9", .tech))
        #expect(screen.confirmation == "Lamp was added for $24.90.")
        #expect(screen.name == "" && screen.price == "")
        #expect(try add("Plums", "$3.99"))
        #expect(try add("Bread", "10"))
        let prices = PriceListModel(list)
        await Viewer.wait(for: prices.items) { $0.count == 3 }
        #expect(prices.lines.map(\.name) == ["Plums", "Bread", "Lamp"])
        #expect(prices.lines.map(\.group) == ["Groceries", "Groceries", "Tech"])
        #expect(prices.lines.map(\.price) == ["$3.99", "$10.00", "$24.90"])
        #expect(try list.store.fetch(ShoppingItem.all).map(\.dateAdded) == [Self.noon, Self.noon, Self.noon])
    }

    @Test(.covers("MD-I38"))
    func `each mistake names its field, and a price of 0 is allowed`() throws {
        #expect(try !add("", "1"))
        #expect(screen.failures.map(\.properties) == [["Name"]])
        #expect(screen.messages == ["The name is empty."])
        #expect(try !add("Soap", ""))
        #expect(screen.failures.map(\.properties) == [["Price"]])
        #expect(screen.messages == ["The price is empty. Write 0 for what is free."])
        #expect(try !add("Soap", "abc"))
        #expect(screen.failures.map(\.properties) == [["Price"]])
        #expect(screen.messages == ["The price is no number. Write it like 3.99 or $3.99."])
        #expect(screen.name == "Soap" && screen.price == "abc")
        #expect(try !add(" ", "abc"))
        #expect(screen.failures.map(\.properties) == [["Name"], ["Price"]])
        #expect(try !add("Soap", "-1"))
        #expect(screen.messages == ["The price is less than 0."])
        #expect(screen.confirmation == nil)
        #expect(try list.store.count(ShoppingItem.all) == 0)
        #expect(try add("Sample", "0"))
        #expect(screen.confirmation == "Sample was added for $0.00.")
        #expect(screen.failures.isEmpty)
    }

    @Test func `names and prices that break SQL text are only names, and no prices`() throws {
        #expect(try add("12\" pizza; it's", "4"))
        #expect(try list.store.fetch(ShoppingItem.all).map(\.name) == ["12\" pizza; it's"])
        for text in ["3,75", "3.75abc", "1e5", "--1", "$"] { #expect(try !add("Soap", text), "\(text)") }
        #expect(try !add("Soap", "3.755"))
        #expect(screen.failures.map(\.rule) == [.scale])
        #expect(try list.store.count(ShoppingItem.all) == 1)
    }

    @Test func `what lies in the basket is ticked, and what is deleted is gone`() async throws {
        #expect(try add("Plums", "3.99"))
        #expect(try add("Bread", "2.05"))
        let prices = PriceListModel(list)
        await Viewer.wait(for: prices.items) { $0.count == 2 }
        try prices.tap(row: 1)
        await Viewer.wait(for: prices.items) { $0[0, 1]?.isBought == true }
        #expect(prices.lines.map(\.isBought) == [false, true])
        try prices.delete(row: 0)
        await Viewer.wait(for: prices.items) { $0.count == 1 }
        #expect(prices.lines.map(\.name) == ["Plums"])
    }
}
