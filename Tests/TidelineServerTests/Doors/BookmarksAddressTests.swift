// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineService
import TidelineTestSupport

@testable import TidelineServer

struct BookmarksAddressTests {
    @Test(
        .covers("SB-F020"),
        arguments: [
            ("/services/apirest.aspx?operation=logon", "apirest.aspx", "/services/apirest.aspx/", ""),
            ("/apiREST.aspx", "apirest.aspx", "/apirest.aspx/", ""),
            ("/SERVICES/UsersRest.ASPX", "usersrest.aspx", "/services/usersrest.aspx/", ""),
            ("/services/bookmarks.svc", "Bookmarks.svc", "/services/Bookmarks.svc/", ""),
            ("/BOOKMARKS.SVC/", "Bookmarks.svc", "/Bookmarks.svc/", ""),
            (
                "/services/Bookmarks.svc/Bookmark(1002)/Name", "Bookmarks.svc", "/services/Bookmarks.svc/",
                "Bookmark(1002)/Name"
            ),
            (
                "http://host:80/services/bookmarks.svc/Bookmark?$top=1", "Bookmarks.svc", "/services/Bookmarks.svc/",
                "Bookmark"
            ),
        ]
    )
    func `each service is found at both roots, in any letter case`(
        target: String,
        service: String,
        root: String,
        rest: String
    ) throws {
        let address = try #require(BookmarksAddress(target: target))
        #expect(address.service.rawValue == service)
        #expect(address.canonicalRoot == root)
        #expect(address.rest == rest)
        #expect(address.root.lowercased() == root.lowercased())
    }

    @Test(
        arguments: [
            "/", "/services", "/services/", "/services/other.aspx", "/apirest.aspx/more", "/odata/Bookmarks.svc",
            "/services/services/apirest.aspx", "/Bookmarks.svcx", "",
        ]
    )
    func `any other address is left to the pages`(target: String) {
        #expect(BookmarksAddress(target: target) == nil)
    }

    @Test func `the query is what follows the question mark`() throws {
        let address = try #require(BookmarksAddress(target: "/Bookmarks.svc/Bookmark?$filter=Name eq 'a?b'"))
        #expect(address.query == "$filter=Name eq 'a?b'")
        #expect(address.rest == "Bookmark")
    }
}
