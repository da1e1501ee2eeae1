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
                        ],
                        rules: Self.rules
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

    @Test func `limits, marks and former names stand in the description`() throws {
        let expansion = try Expansion(
            """
            @Entity("Parts") @Renamed(from: "Pieces", "Items") @OnConflict(.ask)
            struct Part {
                @Key var code: String
                @Range(0...99.5) var weight: Double?
                @Range(1...) var count: Int32
                @Range(...(-1)) var depth: Int32
                @Pattern("^[A-Z]+$") @Unique var label: String
                @AllowedValues("new", "used") var state: String?
                @ReadOnly var owner: String?
                @Immutable @Renamed(from: "Colour") var color: String
                @Computed var version: Int64?
                @ComputedDefault var made: String?
                @Untracked var note: String?
                @OnConflict(.custom("Stock"), else: .lastEdit) var stock: Int32
            }
            """
        )
        #expect(expansion.mistakes == [])
        let conformance = try #require(expansion.pieces.last)
        #expect(
            conformance.contains(
                """
                            .init(code: "code", wire: "Code", String.self, isKey: true),
                            .init(code: "weight", wire: "Weight", Double?.self, minimum: 0 as Double, maximum: 99.5 as Double),
                            .init(code: "count", wire: "Count", Int32.self, minimum: 1 as Int32),
                            .init(code: "depth", wire: "Depth", Int32.self, maximum: (-1) as Int32),
                            .init(code: "label", wire: "Label", String.self, isUnique: true, pattern: "^[A-Z]+$"),
                            .init(code: "state", wire: "State", String?.self, allowedValues: ["new", "used"] as [String]),
                            .init(code: "owner", wire: "Owner", String?.self, isReadOnly: true),
                            .init(code: "color", wire: "Color", String.self, isImmutable: true, formerNames: ["Colour"]),
                            .init(code: "version", wire: "Version", Int64?.self, isComputed: true),
                            .init(code: "made", wire: "Made", String?.self, isGenerated: true),
                            .init(code: "note", wire: "Note", String?.self, isTracked: false),
                            .init(code: "stock", wire: "Stock", Int32.self, \
                conflictPolicy: Tideline.ConflictPolicy(.custom("Stock"), else: .lastEdit))
                        ],
                        rules: Self.rules,
                        formerNames: ["Pieces", "Items"],
                        conflictPolicy: Tideline.ConflictPolicy(.ask)
                    )
                """
            )
        )
    }

    @Test func `a collection is no stored property, and what is calculated is read and never written`() throws {
        let expansion = try Expansion(
            """
            @Entity("Orders")
            @HasMany("Lines", of: Line.self, inverse: "Order", onDelete: .cascade)
            @HasMany("Notes", of: Note.self, inverse: "Order")
            struct Order {
                @Key var id: Int32
                @Calculated("Lines/aggregate(Amount with sum)", cached: true) var sum: EdmDecimal?
                @Calculated("Client/Name") @Name("CustomerName") var customer: String?
            }
            """
        )
        #expect(expansion.mistakes == [])
        #expect(
            expansion.pieces.first == """
                init(
                    id: Int32
                ) {
                    self.id = id
                }
                """
        )
        let conformance = try #require(expansion.pieces.last)
        let parts = [
            """
                    collections: [
                        .init(wire: "Lines", code: "lines", of: Line.self, inverse: "Order", onDelete: .cascade),
                        .init(wire: "Notes", code: "notes", of: Note.self, inverse: "Order")
                    ],
                    calculated: [
                        .init(code: "sum", wire: "Sum", EdmDecimal.self, \
            expression: "Lines/aggregate(Amount with sum)", isCached: true),
                        .init(code: "customer", wire: "CustomerName", String.self, expression: "Client/Name")
                    ],
                    rules: Self.rules
            """,
            """
                    var customer: Tideline.Term<String> {
                        Tideline.Term(navigationPath, "CustomerName")
                    }
                    var lines: Tideline.Related<Line> {
                        Tideline.Related(navigationPath, "Lines")
                    }
            """,
            """
                    [
                        id.edmValue
                    ]
            """,
            """
                    self.id = try Int32.read(from: &row)
                    self.sum = try row.calculated(EdmDecimal.self)
                    self.customer = try row.calculated(String.self)
            """,
            """
                func bind(into binder: inout Tideline.Binder) {
                    self.id.bind(into: &binder)
                }
            """,
        ]
        for part in parts { #expect(conformance.contains(part), "\(part)\n\n\(conformance)") }
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
