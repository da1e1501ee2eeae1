// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineModel

@testable import TidelineOData

struct OpenAPITests {
    private let document: JSONTree

    init() throws {
        let options = OpenAPIDocument.Options(title: "library", address: "/odata/library", isOpen: true)
        document = try JSONTree.read(OpenAPIDocument.write(Library.model, options: options))
    }

    private func schema(_ name: String) -> JSONTree? { document["components"]?["schemas"]?["Library.\(name)"] }

    @Test func `each set, entity, way and singleton has an address; what is contained has none of its own`() {
        let paths = document["paths"]?.members.map(\.0) ?? []
        for path in [
            "/Books", "/Books/$count", "/Books({Id})", "/Loans(BookId={BookId},ReaderId={ReaderId})", "/Librarian",
            "/Readers({Id})/Books",
        ] {
            #expect(paths.contains(path), "\(path)")
        }
        #expect(!paths.contains("/Pages"))
    }

    @Test func `a set that is only read is only read`() {
        let operations = document["paths"]?["/Loans"]?.members.map(\.0)
        #expect(operations == ["get"])
    }

    @Test func `an insert needs what is not null, has no default and is not made by the database`() {
        #expect(schema("Book-create")?["required"]?.items.compactMap(\.text) == ["Kind", "Title", "Size"])
        #expect(schema("Book-create")?["properties"]?["Id"] == nil)
        #expect(schema("Book-create")?["properties"]?["Version"] == nil)
        #expect(schema("Reader-create")?["additionalProperties"]?.isTrue == false)
    }

    @Test func `an update has no key, nothing immutable and needs nothing`() {
        #expect(schema("Book-update")?["required"] == nil)
        #expect(schema("Book-update")?["properties"]?["Kind"] == nil)
        #expect(schema("Book-update")?["properties"]?["Title"]?["pattern"]?.text == "^[A-Z].*$")
    }

    @Test func `bounds are those of the property within its type`() {
        let width = schema("Book")?["properties"]?["Size"]?["properties"]?["Width"]
        #expect(width?["minimum"]?.scalar == "1")
        #expect(width?["maximum"]?.scalar == "999")
        let price = schema("Book-create")?["properties"]?["Price"]
        #expect(price?["maximum"]?.scalar == "9999999.99")
        #expect(price?["multipleOf"]?.scalar == "0.01")
    }

    @Test(arguments: [
        ("Printed", "2024-02-29", true), ("Printed", "2023-02-29", false), ("Printed", "1900-02-29", false),
        ("Printed", "2000-02-29", true), ("Printed", "2023-04-31", false), ("Printed", "0000-01-01", false),
        ("Bought", "2026-11-21T13:31:00.125Z", true), ("Bought", "2026-11-21T13:31:00.1256Z", false),
        ("Opened", "23:59:59", true), ("Opened", "24:00:00", false), ("Reading", "P1D", true), ("Reading", "P", false),
        ("Reading", "PT", false), ("Reading", "-PT1M0.5S", true), ("Digest", "T0RhdGE", true),
        ("Digest", "T0RhdGF", false),
        ("Token", "3f2504e0-4f89-41d3-9a0c-0305e82c3301", true),
    ])
    func `patterns take what is a value and nothing else`(name: String, text: String, isValue: Bool) throws {
        let pattern = try #require(schema("Book")?["properties"]?[name]?["pattern"]?.text)
        let expression = try NSRegularExpression(pattern: pattern)
        let range = NSRange(text.startIndex..., in: text)
        #expect((expression.firstMatch(in: text, range: range) != nil) == isValue)
    }
}
