// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import Tideline
import TidelineTestSupport

/// What the attributes of an entity say to the model.
struct EntityDescriptionTests {
    private let type = Invoice.entitySet.type

    private func property(_ name: String) throws -> Property {
        type.properties[try #require(type.propertyIndex(wire: name))]
    }

    @Test func `limits are facets of the property`() throws {
        #expect(try property("Number").pattern == "^[A-Z]{2}-[0-9]+$")
        #expect(try property("Number").maxLength == 20)
        #expect(try property("Discount").minimum == .decimal(0))
        #expect(try property("Discount").maximum == .decimal(99.5))
        #expect(try property("Discount").defaultValue == .decimal(0))
        #expect(try property("Currency").allowedValues == [.string("EUR"), .string("USD")])
        #expect(try property("Issued").minimum == nil)
        #expect(try property("Issued").allowedValues == [])
    }

    @Test func `the cases of an enumeration are the allowed values`() throws {
        let state = try property("State")
        #expect(state.allowedValues == [.string("draft"), .string("sent"), .string("paid")])
        #expect(state.isNullable)
        #expect(state.violations(of: .string("lost")).map(\.code) == [.notAllowed])
        #expect(state.violations(of: .null) == [])
    }

    @Test func `marks say who writes`() throws {
        #expect(try property("ApprovedBy").isReadOnly)
        #expect(try property("Origin").isImmutable)
        #expect(try property("Version").generation == .always)
        #expect(try property("IsStarred").isTracked == false)
        #expect(try property("IsStarred").isRecorded == false)
        #expect(try property("Number").isRecorded)
    }

    @Test func `former names are kept for migrations`() throws {
        #expect(try property("Number").formerNames == ["Code"])
        #expect(Invoice.entitySet.formerNames == ["Bills"])
        #expect(InvoiceLine.entitySet.formerNames == [])
    }

    @Test func `what is calculated is no stored property`() {
        #expect(type.propertyIndex(wire: "Sum") == nil)
        let sum = CalculatedProperty(
            names: Names(wire: "Sum", code: "sum"),
            type: .decimal,
            expression: .aggregate(over: ["Lines"], [AggregateItem(.expression(.path(["Amount"])), with: .sum)]),
            isCached: true
        )
        let digits = CalculatedProperty(
            names: Names(wire: "Digits", code: "digitCount"),
            type: .int32,
            expression: .call(.length, [.path(["Number"])])
        )
        #expect(type.calculatedProperties == [sum, digits])
    }

    @Test func `rules have typed conditions or the text of OData`() {
        let dates = EntityRule(
            name: "Dates",
            condition: .binary(.greaterOrEqual, .path(["Due"]), .path(["Issued"])),
            message: "The invoice is due before it is issued.",
            properties: ["Due", "Issued"]
        )
        let lines = EntityRule(
            name: "Lines",
            condition: .binary(.lessOrEqual, .count(of: ["Lines"], filter: nil, search: nil), .literal(.integer(3))),
            message: "An invoice has three lines at most."
        )
        #expect(type.rules == [dates, lines])
        #expect(InvoiceLine.entitySet.type.rules == [])
    }

    @Test(.covers("SB-F067")) func `both ends of a relationship are in the model and know each other`() throws {
        let lines = try #require(type.navigationProperties.first)
        #expect(type.navigationProperties.count == 1)
        #expect(lines.names == Names(wire: "Lines", code: "lines"))
        #expect(lines.targetSet == "InvoiceLines")
        #expect(lines.isCollection)
        #expect(!lines.isDependent)
        #expect(lines.constraints == [.init(source: 0, target: 3)])
        #expect(lines.onDelete == .cascade)
        #expect(lines.partner == "Invoice")
        let back = try #require(InvoiceLine.entitySet.type.navigationProperties.first)
        #expect(back.targetSet == "Invoices")
        #expect(!back.isCollection)
        #expect(back.isDependent)
        #expect(back.constraints == [.init(source: 3, target: 0)])
        #expect(back.onDelete == .cascade)  // The rule stands on both ends, though one end alone says it.
        #expect(back.partner == "Lines")
        #expect(Part.entitySet.type.uniqueKeys == [[2]])
    }

    @Test(.covers("SB-F050")) func `a name that is not given is the name in code`() throws {
        #expect(try property("InvoiceId").names == Names(wire: "InvoiceId", code: "id"))
        #expect(try property("Due").names == Names(wire: "Due", code: "due", database: "Due"))
        #expect(Names(wire: "Orders") == Names(wire: "Orders", code: "Orders", database: "Orders"))
    }

    @Test(.covers("SB-F055")) func `set, type and table have names of their own`() {
        let set = InvoiceLine.entitySet
        #expect(set.names.wire == "InvoiceLines")
        #expect(set.names.code == "invoiceLines")
        #expect(set.type.names.wire == "InvoiceLine")
        var renamed = set
        renamed.names.database = "invoice_lines"
        #expect(renamed.names == Names(wire: "InvoiceLines", code: "invoiceLines", database: "invoice_lines"))
        #expect(renamed.type.names.wire == "InvoiceLine")
    }

    @Test(.covers("SB-F051")) func `properties stand in the order of the source, no key and on the server unless said`()
    {
        let places = InvoiceLine.entityDescription.properties.enumerated().map { "\($0) \($1.property.names.code)" }
        #expect(places == ["0 id", "1 amount", "2 text", "3 invoiceId"])
        #expect(InvoiceLine.entityDescription.properties.map(\.isKey) == [true, false, false, false])
        #expect(InvoiceLine.entityDescription.properties.map(\.property.isLocalOnly) == [false, false, false, false])
        #expect(Order.entityDescription.properties.map(\.property.isLocalOnly).last == true)
    }
}
