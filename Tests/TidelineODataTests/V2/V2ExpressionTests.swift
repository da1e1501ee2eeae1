// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

@testable import TidelineOData

struct V2ExpressionTests {
    private static let context = V2Context(model: EntityModel(namespace: "Shop", sets: []), root: "/odata/shop/")

    @Test(arguments: [
        ("substringof('fish',Name) eq true", "contains(Name,'fish') eq true"),
        ("Price gt 2.5M and Id eq 7L", "Price gt 2.5 and Id eq 7"),
        ("Name eq 'O''Neil'", "Name eq 'O''Neil'"),
        // The quote that ends a string, and the marks that would make one character with it.
        ("Name eq 'a''\u{301}b' and Id eq 1L", "Name eq 'a''\u{301}b' and Id eq 1"),
        ("isof('Shop.Bike') and isof(Id,'Edm.Int32')", "isof(Shop.Bike) and isof(Id,Edm.Int32)"),
        ("cast(At,'Edm.DateTime') ne null", "cast(At,Edm.DateTimeOffset) ne null"),
        ("concat('\u{301},(',Name) eq 'x'", "concat('\u{301},(',Name) eq 'x'"),
    ])
    func `expressions of v2 are said in v4`(text: String, expected: String) throws {
        let result = try V2Expression(context: Self.context, set: nil).translate(text)
        #expect(Array(result.unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test func `a string that does not end is refused`() {
        #expect(throws: ODataError.self) {
            try V2Expression(context: Self.context, set: nil).translate("Name eq 'a''\u{301}")
        }
    }
}
