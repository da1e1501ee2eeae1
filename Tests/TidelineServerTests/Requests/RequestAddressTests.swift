// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
@testable import TidelineServer

struct RequestAddressTests {
    @Test(
        arguments: [
            ("/", "", nil, nil), ("/healthz", "healthz", nil, nil), ("/odata", "odata", nil, nil),
            ("/odata/", "odata", nil, nil), ("/odata/shop", "odata", "shop", nil),
            ("/odata/shop/", "odata", "shop", ""),
            ("/odata/shop?a=/b/c", "odata", "shop", nil),
            ("/odata/shop/Orders(1)/Details?$top=1", "odata", "shop", "Orders(1)/Details"),
            ("http://host:1/odata/shop/$batch", "odata", "shop", "$batch"), ("http://host", "", nil, nil),
            ("//odata/shop", "", "odata", "shop"),
        ] as [(String, String, String?, String?)]
    )
    func `the path is taken apart up to the domain`(target: String, door: String, domain: String?, rest: String?) {
        let address = RequestAddress(target: target)
        #expect(address.door == door)
        #expect(address.domain.map(String.init) == domain)
        #expect(address.rest.map(String.init) == rest)
    }

    @Test(arguments: [
        ("/odata/shop/Orders(1)/Details(Order=1,Line='a(b)')?$filter=x", "/odata/shop/Orders(…)/Details(…)"),
        ("/odata/shop/Orders(", "/odata/shop/Orders(…"), ("/a)b", "/a)b"),
        ("/odata/shop/Notes('a)secret')/Body", "/odata/shop/Notes(…)/Body"),
        ("/odata/shop/Notes('it''s)x')", "/odata/shop/Notes(…)"),
        ("Links('http://h/private/x')", "Links(…)"),
        ("/odata/shop/Notes%28'secret'%29", "/odata/shop/Notes%28…%29"),
        ("/odata/shop/Notes(%27a)secret%27)", "/odata/shop/Notes(…)"),
        ("/odata/shop/Notes(%27it%27%27s%29secret%27%29/Body", "/odata/shop/Notes(…%29/Body"),
        ("Links%28'http://h/private/x'%29", "Links%28…%29"),
        ("/odata/shop/a%20b%2", "/odata/shop/a%20b%2"),
    ])
    func `keys and queries stay out of the log`(target: String, logged: String) {
        #expect(RequestAddress(target: target).logged == logged)
    }
}
