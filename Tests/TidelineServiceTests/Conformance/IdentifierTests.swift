// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineService

/// The names that a published database gets.
struct IdentifierTests {
    @Test(.covers("OD-1.4.11"))
    func `no two identifiers differ in letter case alone`() throws {
        let shop = try Shop(
            open: true,
            adding: """
                CREATE TABLE "Order Line" (Id INTEGER PRIMARY KEY, "Unit Price" REAL, unit_price REAL, "UNIT-PRICE" REAL);
                CREATE TABLE order_line (Id INTEGER PRIMARY KEY, Note TEXT);
                """
        )
        let sets = shop.domain.model.sets.map(\.names.wire)
        let lines = sets.filter { $0.lowercased().hasPrefix("order_line") }
        #expect(lines.count == 2)
        #expect(Set(sets.map { $0.lowercased() }).count == sets.count, "\(sets)")
        let types = shop.domain.model.sets.map(\.type.names.wire)
        #expect(Set(types.map { $0.lowercased() }).count == types.count, "\(types)")
        for set in shop.domain.model.sets {
            let names =
                set.type.properties.map(\.names.wire) + set.type.navigationProperties.map(\.names.wire)
            #expect(Set(names.map { $0.lowercased() }).count == names.count, "\(names)")
        }
        // Each is reached under its own name.
        let wide = try #require(
            shop.domain.model.sets.first { $0.type.properties.count == 4 && lines.contains($0.names.wire) }
        )
        #expect(shop.send(.post, wide.names.wire, #"{"Id":1}"#).status == 201)
        let other = try #require(lines.first { $0 != wide.names.wire })
        #expect(shop.get("\(other)/$count").text == "0")
        #expect(try shop.value(#"SELECT count(*) FROM "Order Line""#) == "1")
    }
}
