// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

/// The page for an address that leads nowhere.
///
/// It repeats nothing of the address.
enum NotFoundPage {
    /// The page to a browser, the error to a program.
    static func answer(to request: HTTPRequest, _ refusal: Refusal) -> Response {
        guard PlainPage.isWanted(by: request) else { return Answer.refusal(refusal, request: request) }
        return Answer.bytes(
            Array(html.utf8),
            type: "text/html; charset=utf-8",
            status: .notFound,
            fields: PageDoor.pageFields,
            isHead: request.method == .head
        )
    }

    static let html = PlainPage.html(
        title: "Not found",
        main: """
            <h1>Nothing is here</h1>
            <p class="lead">No page of this server has this address. The <a href="/">first page</a> lists the domains; their data is at <code>/odata/&lt;domain&gt;/</code>.</p>
            """
    )
}
