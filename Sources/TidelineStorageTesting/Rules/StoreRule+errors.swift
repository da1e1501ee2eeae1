// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

extension StoreRule {
    /// What is refused, and how.
    static let errors: [StoreRule] = [
        StoreRule("a key or a unique value that is taken is named by set and properties and by no value") {
            world throws in
            let key = try #require(
                world.error { _ = try world.insert("Clients", ["k1", "Secret", nil], $0) }
            )
            #expect((key.code, key.set, key.properties) == (.duplicateKey, "Clients", ["Id"]))
            let composite = try #require(
                world.error { _ = try world.insert("Lines", ["1", "2", StoreFixture.product(255), "4711", nil], $0) }
            )
            #expect(
                (composite.code, composite.set, composite.properties) == (.duplicateKey, "Lines", ["OrderId", "Place"])
            )
            let value = try #require(
                world.error { _ = try world.insert("Orders", ["-", "a", nil, nil, "1", nil], $0) }
            )
            #expect((value.code, value.set, value.properties) == (.duplicateValue, "Orders", ["Number"]))
            let pair = try #require(
                world.error { _ = try world.insert("Products", [StoreFixture.product(9), "Bolt", "S", nil, "-"], $0) }
            )
            #expect((pair.code, pair.set, pair.properties) == (.duplicateValue, "Products", ["Name", "Size"]))
            let update = try #require(
                world.error { _ = try world.update("Orders", [.integer(2)], "Number", .string("a"), $0) }
            )
            #expect((update.code, update.set, update.properties) == (.duplicateValue, "Orders", ["Number"]))
            for message in [key, composite, value, pair, update].map(\.message) {
                #expect(
                    !["k1", "Secret", "4711", "Bolt", "'a'", "(a)", "=(", "0000"].contains(where: message.contains)
                )
            }
        },
        StoreRule("a reference to nothing, and taking away what is referred to, is a missing reference") {
            world throws in
            let errors = [
                world.error { _ = try world.insert("Orders", ["-", nil, "nobody", nil, "1", nil], $0) },
                world.error { _ = try world.update("Orders", [.integer(1)], "ClientId", .string("K1"), $0) },
                world.error { _ = try $0.delete(Key([.string("k1")]), in: world.set("Clients")) },
                world.error { _ = try world.update("Clients", [.string("k1")], "Id", .string("other"), $0) },
                world.error { _ = try world.insert("Lines", ["77", "1", StoreFixture.product(1), "1", nil], $0) },
                world.error { _ = try world.insert("Profiles", ["nobody", nil], $0) },
                world.error { _ = try world.update("Lines", [.integer(1), .integer(1)], "OrderId", .integer(77), $0) },
            ]
            #expect(errors.map { $0?.code } == errors.map { _ in .missingReference })
            // The key of a client is referred to by both of them.
            let places = errors.map { "\($0?.set ?? "")(\($0?.properties.joined(separator: ",") ?? ""))" }
            let both = ["Orders(ClientId)", "Profiles(ClientId)"]
            #expect(both.contains(places[3]))
            #expect(places[..<3] == ["Orders(ClientId)", "Orders(ClientId)", "Orders(ClientId)"])
            #expect(places[4...] == ["Lines(OrderId)", "Profiles(ClientId)", "Lines(OrderId)"])
        },
        StoreRule("a missing value, a broken check and a value of another type are refused") { world throws in
            let missing = try #require(
                world.error { _ = try $0.insert([0: .string("k9")], into: world.set("Clients")) }
            )
            #expect((missing.code, missing.set, missing.properties) == (.nullValue, "Clients", ["Name"]))
            #expect(
                world.error { _ = try world.update("Clients", [.string("k1")], "Name", .null, $0) }?.code == .nullValue
            )
            #expect(
                world.error { _ = try world.insert("Orders", ["-", nil, nil, nil, "-1", nil], $0) }?.code == .constraint
            )
            #expect(
                world.error { _ = try world.update("Orders", [.integer(1)], "Total", .number("-0.01"), $0) }?.code
                    == .constraint
            )
            #expect(
                world.error { _ = try world.update("Samples", [.integer(1)], "Byte", .integer(256), $0) }?.code
                    == .invalidValue
            )
            #expect(
                world.error { _ = try world.update("Samples", [.integer(1)], "Date", .string("soon"), $0) }?.code
                    == .invalidValue
            )
            #expect(try world.row("Samples", .integer(1))?.contains("|255|2024-02-29|") == true)
        },
        StoreRule("nothing is written to a read-only set") { world throws in
            let set = try world.set("BigOrders")
            #expect(
                world.error { _ = try $0.insert([0: .integer(9), 2: .number("500")], into: set) }?.code == .unsupported
            )
            #expect(
                world.error { _ = try $0.update(Key([.integer(2)]), [2: .number("500")], in: set) }?.code
                    == .unsupported
            )
            #expect(world.error { _ = try $0.delete(Key([.integer(2)]), in: set) }?.code == .unsupported)
            #expect(try world.lines(try world.plan("BigOrders", columns: ["Id"])) == ["2", "3", "6"])
        },
    ]
}
