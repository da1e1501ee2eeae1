// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineOData

@testable import TidelineService

struct AddressTests {
    @Test(arguments: [
        ("https://host/odata/shop/Orders(1)", "Orders(1)"), ("/odata/shop/Orders(1)", "Orders(1)"),
        ("Orders(1)", "Orders(1)"),
        ("$1/Lines", "$1/Lines"), ("http://other:8080/odata/shop/Orders", "Orders"), ("/odata/shop/", ""),
    ])
    func `all forms of an address lead to the part below the root`(text: String, rest: String) throws {
        #expect(try Address("https://host/odata/shop/").relative(text) == rest)
    }

    @Test(arguments: ["/odata/shopping/Orders", "https://host/elsewhere", "/etc/passwd", "ftp://host"])
    func `an address of something else is refused`(text: String) {
        #expect(throws: ODataError.self) { try Address("https://host/odata/shop/").relative(text) }
    }
}
