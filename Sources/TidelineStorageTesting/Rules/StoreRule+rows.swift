// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

extension StoreRule {
    /// What rows are made of.
    static let rows: [StoreRule] = [
        StoreRule("rows come in the order of their key, every column in its canonical text") { world throws in
            #expect(
                try world.lines(try world.plan("Clients")) == ["k1|Ann|4.5", "k2|Bob|null", "k3|Émile|3", "É|Zoë|4.5"]
            )
            #expect(
                try world.lines(try world.plan("Orders")) == [
                    "1|a|k1|2|10.5|2024-01-01T10:00:00Z", "2|b|k1|3|250|2024-01-01T10:00:00.25Z",
                    "3|null|k2|null|100|null", "4|null|null|2|10.5|1969-12-31T23:59:59.999Z", "5|e|k3|null|0.01|null",
                    "6|f|k1|2|99999999.99|2024-01-01T10:00:00Z",
                ]
            )
            let (bolt, nut) = (StoreFixture.product(1), StoreFixture.product(255))
            #expect(
                try world.lines(try world.plan("Lines")) == [
                    "1|1|\(bolt)|5|null", "1|2|\(StoreFixture.product(2))|7|soon", "2|1|\(nut)|1|a|b", "6|9|\(nut)|3|",
                    "6|10|\(bolt)|2|null",
                ]
            )
            #expect(
                try world.lines(try world.plan("Products")) == [
                    "\(bolt)|Bolt|S|0.05|Bolt!", "\(StoreFixture.product(2))|Bolt|L|0.1|Bolt!",
                    "\(nut)|Nut|null|null|Nut!",
                ]
            )
        },
        StoreRule("every primitive type keeps its values, edges and nulls") { world throws in
            #expect(
                try world.lines(try world.plan("Samples")) == [
                    "1|x0001ff|true|255|2024-02-29|2024-02-29T12:30:15.25Z|1234567.8901|0.1|P1DT12H0.5S|"
                        + "abcdef00-0000-4000-8000-0000000000ff|32767|2147483647|9223372036854775807|127|1.5|"
                        + "straße \u{1F30A} ' \" \\|23:59:59.999",
                    "2|x|false|0|0001-01-01|1901-01-01T00:00:00Z|-0.0001|-2.5e-300|-PT1S|"
                        + "00000000-0000-0000-0000-000000000000|-32768|-2147483648|-9223372036854775808|-128|-0.5||"
                        + "00:00:00",
                    "3" + String(repeating: "|null", count: 16),
                ]
            )
            let set = try world.set("Samples")
            for (place, property) in set.type.properties.enumerated().dropFirst() {
                let texts = try StoreFixture.sampleTexts.map { try #require($0[place]) }
                for (number, text) in texts.enumerated() {
                    let entity = try world.entity("Samples", .integer(Int64(number + 1)))
                    #expect(entity?.values[place] == Value(text: text, as: property.type), "\(property.names.wire)")
                }
            }
        },
        StoreRule("a value has one text, however it was written") { world throws in
            try world.update("Orders", [.integer(1)], "Total", .decimal(EdmDecimal(coefficient: 1050, scale: 2)))
            try world.update("Samples", [.integer(3)], "Duration", .duration(.seconds(129_600)))
            #expect(try world.lines(try world.plan("Orders", columns: ["Total"], top: 1)) == ["10.5"])
            #expect(try world.lines(try world.plan("Samples", columns: ["Duration"], skip: 2)) == ["P1DT12H"])
            try world.runOutside(
                """
                UPDATE orders SET total = 10.50, placed_at = '2024-01-01T10:00:00.500Z' WHERE id = 2;
                UPDATE samples SET a_duration = 'PT36H', a_time = '10:00:00.500' WHERE id = 3
                """
            )
            let order = try world.plan("Orders", columns: ["Total", "PlacedAt"], skip: 1, top: 1)
            #expect(try world.lines(order) == ["10.5|2024-01-01T10:00:00.5Z"])
            let sample = try world.plan("Samples", columns: ["Duration", "TimeOfDay"], skip: 2)
            #expect(try world.lines(sample) == ["P1DT12H|10:00:00.5"])
        },
        StoreRule("columns are pushed in the plan's order, and only those") { world throws in
            #expect(
                try world.lines(try world.plan("Orders", columns: ["Total", "Id"], top: 2)) == ["10.5|1", "250|2"]
            )
            #expect(try world.lines(try world.plan("Orders", columns: [], top: 2)) == ["", ""])
        },
        StoreRule("a read-only set is read, counted and asked like any other") { world throws in
            #expect(try world.lines(try world.plan("BigOrders")) == ["2|b|250", "3|null|100", "6|f|99999999.99"])
            #expect(
                try world.lines(
                    world.plan("BigOrders", filter: .compare("Total", .lessThan, .number("200")))
                ) == ["3|null|100"]
            )
            #expect(try world.store.read { try $0.count(try world.plan("BigOrders")) } == 3)
            #expect(try world.row("BigOrders", .integer(2)) == "2|b|250")
            #expect(try world.row("BigOrders", .integer(1)) == nil)
        },
        StoreRule("an entity is found by its key, equal by bytes, and is whole") { world throws in
            #expect(try world.row("Clients", .string("É")) == "É|Zoë|4.5")
            #expect(try world.row("Clients", .string("E\u{301}")) == nil)
            #expect(try world.row("Clients", .string("K1")) == nil)
            #expect(try world.row("Clients", .string("k1 ")) == nil)
            #expect(try world.row("Lines", .integer(6), .integer(10))?.hasSuffix("|2|null") == true)
            #expect(try world.row("Lines", .integer(10), .integer(6)) == nil)
            let product = StoreFixture.product(255)
            #expect(try world.row("Products", .guid(text: product)) == "\(product)|Nut|null|null|Nut!")
            #expect(try world.row("Samples", .integer(.max)) == nil)
        },
    ]
}
