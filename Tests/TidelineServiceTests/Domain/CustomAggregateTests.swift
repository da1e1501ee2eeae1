// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineOData

@testable import TidelineService

/// Aggregates that a domain names: read, written, announced and asked for.
struct CustomAggregateTests {
    private static func text(_ aggregates: String) -> String {
        """
        format: 1
        name: shop
        database: {kind: sqlite, path: shop.sqlite}
        open: true
        namespace: Shop
        sets:
          - name: Lines
            type: Line
            table: lines
            aggregates: [\(aggregates)]
            key: [Id]
            properties:
              - {name: Id, type: Int32, nullable: false}
              - {name: Price, type: Decimal, scale: 2}
              - {name: Quantity, type: Int32}
              - {name: Note, type: String}
        """
    }

    @Test func `a domain reads and writes them`() throws {
        let domain = try Domain(yaml: Self.text("Price mul Quantity with sum as Revenue, $count as Number"))
        let product = Expression.binary(.mul, .path(["Price"]), .path(["Quantity"]))
        #expect(
            domain.model.sets[0].aggregates == [
                AggregateItem(.expression(product), with: .sum, as: "Revenue"), AggregateItem(.count([]), as: "Number"),
            ]
        )
        #expect(try Domain(yaml: domain.yaml).model.sets[0].aggregates == domain.model.sets[0].aggregates)
    }

    @Test(arguments: [
        "Price as Revenue", "Price with sum", "Note with sum as Notes", "Nothing with sum as N",
        "Price with max as Note",
        "Price with sum as A)/aggregate(Price with sum as B", "$count as N, $count as N",
    ])
    func `what is no aggregate of the set is refused with its line`(aggregate: String) {
        let error = #expect(throws: DomainError.self) { try Domain(yaml: Self.text(aggregate)) }
        #expect(error?.line == 10)
    }

    @Test func `a request asks for them by name, and the metadata announces them`() throws {
        let shop = try Shop(shaping: { sets in
            for place in sets.indices where sets[place].names.wire == "Orders" {
                sets[place].aggregates = [AggregateItem(.expression(.path(["Total"])), with: .sum, as: "Revenue")]
            }
        })
        let root = "/odata/shop/$metadata#"
        #expect(
            shop.get("Orders?$apply=aggregate(Revenue)").text
                == #"{"@context":"\#(root)Orders(Revenue)","value":[{"Revenue@type":"Int64","Revenue":400}]}"#
        )
        #expect(
            shop.get("Orders?$apply=groupby((Title),aggregate(Revenue%20as%20R,$count%20as%20N))&$orderby=Title").text
                == #"{"@context":"\#(root)Orders(Title,R,N)","value":[{"Title":"ten","R@type":"Int64","R":100,"N@type":"Int64","N":1},{"Title":"thirty","R@type":"Int64","R":300,"N@type":"Int64","N":1}]}"#
        )
        #expect(
            shop.get("Clients?$apply=join(Orders%20as%20O,aggregate(Revenue))/groupby((ClientId,O/Revenue))").text
                .contains(#""value":[{"ClientId":1,"O":{"Revenue":100}},{"ClientId":3,"O":{"Revenue":300}}]"#)
        )
        #expect(shop.get("Orders?$apply=aggregate(Forecast)").status == 501)
        #expect(
            shop.get("$metadata?$format=json").text.contains(##""@Aggregation.CustomAggregate#Revenue":"Edm.Int64""##)
        )
    }
}
