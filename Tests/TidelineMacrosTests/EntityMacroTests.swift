// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

struct EntityMacroTests {
    @Test func `a struct becomes an entity`() throws {
        let expansion = try Expansion(
            """
            @Entity("Orders")
            public struct Order {
                @Key(generated: true) @Name("OrderId") public var id: Int32
                public var orderStatus: Int32 = 0
                @MaxLength(200) public var remark: String?
                @Precision(19, scale: 4) public var total: EdmDecimal
                @Reference("Client", to: Client.self, onDelete: .cascade, inverse: "Orders") public var clientId: GUID
                @LocalOnly public var isExpanded: Bool = false
                public var label: String { remark ?? "" }
                static let limit: Int = 5
            }
            """
        )
        #expect(expansion.mistakes == [])
        #expect(
            expansion.pieces == [
                """
                public init(
                    id: Int32 = 0,
                    orderStatus: Int32 = 0,
                    remark: String? = nil,
                    total: EdmDecimal,
                    clientId: GUID,
                    isExpanded: Bool = false
                ) {
                    self.id = id
                    self.orderStatus = orderStatus
                    self.remark = remark
                    self.total = total
                    self.clientId = clientId
                    self.isExpanded = isExpanded
                }
                """,
                """
                extension Order: Tideline.Queryable {
                    public static let entityDescription = Tideline.EntityDescription(
                        set: "Orders",
                        type: "Order",
                        properties: [
                            .init(code: "id", wire: "OrderId", Int32.self, isKey: true, isGenerated: true),
                            .init(code: "orderStatus", wire: "OrderStatus", Int32.self, defaultValue: 0 as Int32),
                            .init(code: "remark", wire: "Remark", String?.self, maxLength: 200),
                            .init(code: "total", wire: "Total", EdmDecimal.self, precision: 19, scale: 4),
                            .init(code: "clientId", wire: "ClientId", GUID.self, \
                reference: .init(wire: "Client", code: "client", to: Client.self, onDelete: .cascade, inverse: "Orders")),
                            .init(code: "isExpanded", wire: "IsExpanded", Bool.self, isLocalOnly: true, \
                defaultValue: false as Bool)
                        ]
                    )

                    public static let entitySet = entityDescription.entitySet

                    public struct Columns: Tideline.EntityColumns {
                        public let navigationPath: [String]

                        public init(navigationPath: [String]) {
                            self.navigationPath = navigationPath
                        }

                        public var id: Tideline.Term<Int32> {
                            Tideline.Term(navigationPath, "OrderId")
                        }
                        public var orderStatus: Tideline.Term<Int32> {
                            Tideline.Term(navigationPath, "OrderStatus")
                        }
                        public var remark: Tideline.Term<String> {
                            Tideline.Term(navigationPath, "Remark")
                        }
                        public var total: Tideline.Term<EdmDecimal> {
                            Tideline.Term(navigationPath, "Total")
                        }
                        public var clientId: Tideline.Term<GUID> {
                            Tideline.Term(navigationPath, "ClientId")
                        }
                        public var isExpanded: Tideline.Term<Bool> {
                            Tideline.Term(navigationPath, "IsExpanded")
                        }
                        public var client: Client.Columns {
                            Client.Columns(navigationPath: navigationPath + ["Client"])
                        }
                    }

                    public var entityKey: Tideline.Key {
                        Tideline.Key([id.edmValue])
                    }

                    public var edmValues: [Tideline.Value] {
                        [
                            id.edmValue,
                            orderStatus.edmValue,
                            remark.edmValue,
                            total.edmValue,
                            clientId.edmValue,
                            isExpanded.edmValue
                        ]
                    }

                    public init(row: inout Tideline.RowCursor) throws {
                        self.id = try Int32.read(from: &row)
                        self.orderStatus = try Int32.read(from: &row)
                        self.remark = try Swift.Optional<String>.read(from: &row)
                        self.total = try EdmDecimal.read(from: &row)
                        self.clientId = try GUID.read(from: &row)
                        self.isExpanded = try Bool.read(from: &row)
                    }

                    public func bind(into binder: inout Tideline.Binder) {
                        self.id.bind(into: &binder)
                        self.orderStatus.bind(into: &binder)
                        self.remark.bind(into: &binder)
                        self.total.bind(into: &binder)
                        self.clientId.bind(into: &binder)
                        self.isExpanded.bind(into: &binder)
                    }
                }
                """,
            ]
        )
    }

    @Test func `a struct with an initialiser of its own keeps it`() throws {
        let expansion = try Expansion(
            """
            @Entity("Notes")
            struct Note {
                @Key var id: GUID
                init(id: GUID) { self.id = id }
            }
            """
        )
        #expect(expansion.mistakes == [])
        #expect(!expansion.pieces.contains { $0.contains("init(id: GUID)") })
    }
}
