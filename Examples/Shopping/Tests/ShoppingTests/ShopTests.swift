// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Shopping
import Testing
import Tideline
import TidelineTestSupport

/// Stores, the things that a new list begins with, and the program.
@MainActor
struct ShopTests {
    private let list: ShoppingList
    private static let noon = DateTimeOffset(seconds: 1_796_040_000)

    init() throws { list = ShoppingList(store: try .temporary(model: ShoppingList.model)) }

    @Test(.covers("MD-I39"))
    func `an item that two stores sell lists both, and deleting it removes its store rows`() throws {
        let plums = try list.add("Plums", price: 3.99, at: Self.noon)
        let cable = try list.add("Cable", price: 9, group: .tech, at: Self.noon)
        try list.note(plums, soldAt: "Market")
        try list.note(plums, soldAt: "Corner shop")
        try list.note(plums, soldAt: "Market")
        try list.note(cable, soldAt: "Market")
        #expect(try list.shops(selling: plums).map(\.name) == ["Corner shop", "Market"])
        #expect(try list.shops(selling: cable).map(\.name) == ["Market"])
        #expect(try list.store.count(Offer.all) == 3)
        try list.delete(plums)
        #expect(try list.store.fetch(Offer.all).map(\.itemId) == [cable.itemId])
        #expect(try list.store.count(Shop.all) == 2)
    }

    @Test func `a new list has nine things, once`() throws {
        try list.addSeed(at: Self.noon)
        try list.addSeed(at: Self.noon)
        let names = try list.store.fetch(ShoppingItem.all.sorted { $0.price }).map(\.name)
        #expect(names.count == 9)
        #expect(names.first == "Soap")
        #expect(names.last == "Headphones")
        #expect(try list.store.count(ShoppingItem.where { $0.group == .tech }) == 4)
    }

    @Test func `the program keeps what was done from start to start`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tideline-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func run(_ words: String...) throws -> [String] {
            let list = try ShoppingList(path: folder.appending(path: "my.tideline").path)
            defer { try? list.store.close() }
            return try ShoppingProgram(list).run(words)
        }
        #expect(try run("list").count == 9)
        #expect(try run("add", "Gift", "$0", "tech") == ["Gift was added for $0.00."])
        #expect(try run("bought", "Gift").first == "x Gift  Tech  $0.00")
        #expect(try run("sold", "Gift", "Market") == ["Market"])
        #expect(try run("stores", "Gift") == ["Market"])
        #expect(try run("delete", "Soap").count == 9)
        #expect(try run("list").prefix(2) == ["x Gift  Tech  $0.00", "- Oat milk  Groceries  $1.95"])
        #expect(throws: ShoppingError.noSuchItem("Soap")) { try run("bought", "Soap") }
        #expect(throws: ShoppingError.noSuchGroup("Toys")) { try run("add", "Ball", "1", "Toys") }
        #expect(throws: ShoppingError.invalid(["The name is empty.", "The price is empty. Write 0 for what is free."]))
        {
            try run("add", "", "")
        }
        #expect(throws: ShoppingError.unknownCommand("dance")) { try run("dance") }
    }
}
