// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Tideline

@Entity("Clients")
struct Client: Equatable {
    @Key var clientId: GUID
    @MaxLength(80) var clientName: String
    var contactPhone: String?
}

/// The state of an order, stored as a number.
enum OrderStatus: Int32, PropertyValue {
    case open, packed, sent
}

@Entity("Orders")
struct Order: Equatable {
    @Key(generated: true) @Name("OrderId") var id: Int32
    var orderDate: DateTimeOffset
    var orderStatus: OrderStatus = .open
    @Precision(12, scale: 2) var total: EdmDecimal
    var remark: String?
    @Reference("Client", to: Client.self, onDelete: .cascade) var clientId: GUID
    @LocalOnly var isExpanded: Bool = false
}

@Entity("Parts")
struct Part: Equatable {
    @Key var code: String
    var weight: Double?
    @Unique var label: String
    @Reference("Whole", to: Part.self) var wholeCode: String?
}
