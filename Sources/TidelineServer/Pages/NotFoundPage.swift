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
        guard request.headerFields[.accept]?.contains("text/html") == true else {
            return Answer.refusal(refusal, request: request)
        }
        return Answer.bytes(
            Array(html.utf8),
            type: "text/html; charset=utf-8",
            status: .notFound,
            fields: PageDoor.pageFields,
            isHead: request.method == .head
        )
    }

    static let html = """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>Not found · Tideline</title>
        <link rel="stylesheet" href="/assets/tideline.css">
        <link rel="icon" type="image/svg+xml" href="/assets/tideline.svg">
        </head>
        <body>
        <header class="bar">
        <a class="brand" href="/"><img src="/assets/tideline.svg" alt="" width="28" height="28"><span>Tideline</span></a>
        </header>
        <main>
        <h1>Nothing is here</h1>
        <p class="lead">No page of this server has this address. The <a href="/">first page</a> lists the domains; their data is at <code>/odata/&lt;domain&gt;/</code>.</p>
        </main>
        </body>
        </html>
        """
}
