// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

struct EntityMacroTests {
    @Test func `a struct becomes an entity`() {
        let expansion = Expansion(
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
            expansion.source == """
                public struct Order {
                    public var id: Int32
                    public var orderStatus: Int32 = 0
                    public var remark: String?
                    public var total: EdmDecimal
                    public var clientId: GUID
                    public var isExpanded: Bool = false
                    public var label: String { remark ?? "" }
                    static let limit: Int = 5
                }
                """
        )
    }

    @Test func `a struct with an initialiser of its own keeps it`() {
        let expansion = Expansion(
            """
            @Entity("Notes")
            struct Note {
                @Key var id: GUID
                init(id: GUID) { self.id = id }
            }
            """
        )
        #expect(expansion.mistakes == [])
        #expect(!expansion.source.contains("init(id: GUID) {\n"))
    }
}
