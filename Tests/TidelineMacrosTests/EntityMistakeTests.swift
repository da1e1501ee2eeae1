// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

struct EntityMistakeTests {
    /// The source, and the mistakes that it has.
    static let cases: [(source: String, mistakes: [String])] = [
        (
            """
            @Entity("Orders")
            class Order {
                @Key var id: Int32
            }
            """,
            ["1:1 @Entity stands on a struct: entities are values."]
        ),
        (
            """
            @Entity(name)
            struct Order {
                @Key var id: Int32
            }
            """,
            ["1:1 @Entity needs the name of the entity set as a plain string, as in @Entity(\"Orders\")."]
        ),
        (
            """
            @Entity("Orders")
            struct Order {
                var id: Int32
            }
            """,
            ["2:8 An entity needs a key: mark one property or more with @Key."]
        ),
        (
            """
            @Entity("Orders")
            struct Order {
                @Key var id: Int32
                var remark = "none"
            }
            """,
            [
                "4:9 Write the type of 'remark': the macro sees the text of the source, not what the compiler infers."
            ]
        ),
        (
            """
            @Entity("Orders")
            struct Order {
                @Key var id: Int32?
            }
            """,
            ["3:14 A key property cannot be optional."]
        ),
        (
            """
            @Entity("Orders")
            struct Order {
                @Key(generated: true) var id: GUID
            }
            """,
            ["3:5 The server generates integer keys (Int16, Int32, Int64, Int), not 'GUID'."]
        ),
        (
            """
            @Entity("Lines")
            struct Line {
                @Key(generated: true) var order: Int32
                @Key var number: Int32
            }
            """,
            ["3:31 Only one key property can be generated, and it must be the only one."]
        ),
        (
            """
            @Entity("Orders")
            struct Order {
                @Key var id: Int32
                var a, b: Int32
            }
            """,
            ["4:5 Declare each property of an entity on a line of its own."]
        ),
        (
            """
            @Entity("Orders")
            struct Order {
                @Key var id: Int32
                @Name("not a name") var a: Int32
            }
            """,
            [
                "4:5 '\"not a name\"' is not a name of OData: it begins with a letter or '_' and goes on with letters, "
                    + "digits and '_', at most 128 characters."
            ]
        ),
        (
            """
            @Entity("Orders")
            struct Order {
                @Key var id: Int32
                @Name("Id") var other: Int32
            }
            """,
            ["4:21 Another property is called 'Id' on the wire; give one of them another @Name."]
        ),
        (
            """
            @Entity("Orders")
            struct Order {
                @Key var id: Int32
                @LocalOnly var isOpen: Bool
            }
            """,
            [
                "4:20 A @LocalOnly property is optional or has a default value: rows that come from the server do not "
                    + "have it."
            ]
        ),
        (
            """
            @Entity("Orders")
            struct Order {
                @Key var id: Int32
                @MaxLength(0) var a: String
                @MaxLength(5) var b: Int32
                @Precision(4, scale: 5) var c: EdmDecimal
                @Precision(4) var d: String
            }
            """,
            [
                "4:5 @MaxLength takes a whole number from 1, written as digits.",
                "5:5 @MaxLength is for String and [UInt8], not for 'Int32'.",
                "6:5 @Precision takes digits: a precision from 1 (from 0 for times) and a scale from 0 up to the "
                    + "precision.",
                "7:5 @Precision is for decimals and times, not for 'String'.",
            ]
        ),
        (
            """
            @Entity("Orders")
            struct Order {
                @Key var id: Int32
                @Reference("Client", to: "Clients") var clientId: GUID
            }
            """,
            [
                "4:5 @Reference takes the name of the navigation property and the entity it leads to: "
                    + "@Reference(\"Client\", to: Client.self)."
            ]
        ),
        (
            """
            @Entity("Orders")
            @HasMany("Lines", of: Line.self)
            @HasMany("Id", of: Line.self, inverse: "Order")
            @HasMany("Total", of: Line.self, inverse: "Order")
            struct Order {
                @Key var id: Int32
                @Reference("Client", to: Client.self) var client: Int32
                @Name("Sum") var total: Int32
            }
            """,
            [
                "2:1 @HasMany takes the name of the navigation property, the entity of the many, and its reference "
                    + "back: @HasMany(\"Lines\", of: Line.self, inverse: \"Order\").",
                "7:47 Another property is called 'Client' on the wire; give one of them another @Name.",
                "3:1 Another property is called 'Id' on the wire; give one of them another @Name.",
                "4:1 Predicates call two properties of this entity 'total'; give one of them another name.",
            ]
        ),
        (
            """
            @Entity("Orders")
            struct Order {
                @Key var id: Int32
                @Range(1..<5) var a: Int32
                @Range(5...1) var b: Int32
                @Range(0.5...) var c: Int32
                @Range(1...2) var d: String
            }
            """,
            [
                "4:5 @Range takes a range that includes its ends: @Range(1...10), @Range(0...) or @Range(...100).",
                "5:5 The range ends before it begins.",
                "6:5 A range of 'Int32' has whole numbers.",
                "7:5 @Range is for numbers, dates and times, not for 'String'.",
            ]
        ),
        (
            """
            @Entity("Orders")
            struct Order {
                @Key var id: Int32
                @Pattern("") var a: String
                @Pattern("x") var b: Int32
                @AllowedValues() var c: String
                @Renamed(from: "no name") var d: String
                @Renamed(from: "E") var e: String
                @Computed var f: Int64
                @Unique var g: Int32 { 5 }
                @ComputedDefault var h: Int64
                @ComputedDefault @Computed var i: Int64?
                @ComputedDefault var j: Int64? = 5
                @ComputedDefault var k: Int64? = nil
            }
            """,
            [
                "4:5 @Pattern takes a regular expression as a plain string.",
                "5:5 @Pattern is for String, not for 'Int32'.",
                "6:5 @AllowedValues takes one value or more.",
                "7:5 '\"no name\"' is not a name of OData: it begins with a letter or '_' and goes on with letters, "
                    + "digits and '_', at most 128 characters.",
                "8:5 'E' is the present name; @Renamed gives the names from before.",
                "9:19 A @Computed property is optional or has a default value: a new entity has none until the server "
                    + "computes it.",
                "10:5 @Unique is for stored properties.",
                "11:26 A @ComputedDefault property is optional and has no value at first: the server computes one where "
                    + "there is none.",
                "12:36 @ComputedDefault is for properties that the app may give too: no @Key, and not @Computed.",
                "13:26 A @ComputedDefault property is optional and has no value at first: the server computes one where "
                    + "there is none.",
            ]
        ),
        (
            """
            @Entity("Orders")
            struct Order {
                @Key var id: Int32
                @Calculated(name) var a: Int32?
                @Calculated("Id add 1") var b: Int32
                @Calculated("Id add 1") let c: Int32?
                @Calculated("Id add 1") @LocalOnly var d: Int32?
            }
            """,
            [
                "4:5 @Calculated takes an expression of OData as a plain string: "
                    + "@Calculated(\"Lines/aggregate(Amount with sum)\").",
                "5:33 A @Calculated property is an optional 'var' without a value: it is filled when the entity is read.",
                "6:33 A @Calculated property is an optional 'var' without a value: it is filled when the entity is read.",
                "7:29 A @Calculated property is never stored, so @LocalOnly says nothing of it.",
            ]
        ),
    ]

    @Test(arguments: cases)
    func `a mistake is told where it stands, once`(source: String, mistakes: [String]) throws {
        #expect(try Expansion(source).mistakes == mistakes)
    }
}
