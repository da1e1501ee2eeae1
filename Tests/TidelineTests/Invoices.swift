// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Tideline

/// The state of an invoice: its cases are all that there may be.
enum InvoiceState: String, PropertyValue, CaseIterable {
    case draft, sent, paid
}

@Entity("Invoices")
@Renamed(from: "Bills")
@HasMany("Lines", of: InvoiceLine.self, inverse: "Invoice", onDelete: .cascade)
struct Invoice: Equatable {
    @Key(generated: true) @Name("InvoiceId") var id: Int32
    @Pattern("^[A-Z]{2}-[0-9]+$") @MaxLength(20) @Renamed(from: "Code") var number: String
    var issued: CalendarDate
    var due: CalendarDate
    @Precision(5, scale: 2) @Range(0...99.5) var discount: EdmDecimal = 0
    var state: InvoiceState? = .draft
    @AllowedValues("EUR", "USD") var currency: String = "EUR"
    @ReadOnly var approvedBy: String?
    @Immutable var origin: String?
    @Computed var version: Int64?
    @Untracked var isStarred: Bool = false
    @Calculated("Lines/aggregate(Amount with sum)", cached: true) var sum: EdmDecimal?
    @Calculated("length(Number)") @Name("Digits") var digitCount: Int32?

    static let rules = [
        rule("Dates", message: "The invoice is due before it is issued.", marking: \.due, \.issued) {
            $0.due >= $0.issued
        },
        rule("Lines", "Lines/$count le 3", message: "An invoice has three lines at most."),
    ]
}

@Entity("InvoiceLines", type: "InvoiceLine")
struct InvoiceLine: Equatable {
    @Key(generated: true) @Name("LineId") var id: Int32
    @Precision(12, scale: 2) var amount: EdmDecimal
    var text: String?
    @Reference("Invoice", to: Invoice.self) var invoiceId: Int32
}
