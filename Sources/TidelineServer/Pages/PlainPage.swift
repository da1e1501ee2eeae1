// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// A page of the server that says one thing: the bar, and what is given.
enum PlainPage {
    /// The page in HTML.
    ///
    /// - Parameters:
    ///   - title: as text that needs no escaping.
    ///   - main: the content as HTML, its heading of the first order among it.
    static func html(title: String, main: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(title) · Tideline</title>
        <link rel="stylesheet" href="/assets/tideline.css">
        <link rel="icon" type="image/svg+xml" href="/assets/tideline.svg">
        </head>
        <body>
        <header class="bar">
        <a class="brand" href="/"><img src="/assets/tideline.svg" alt="" width="28" height="28"><span>Tideline</span></a>
        </header>
        <main>
        \(main)
        </main>
        </body>
        </html>
        """
    }

    /// Whether a request comes from who reads pages: a browser that opens an address says so, a program or a script of a
    /// page does not.
    static func isWanted(by request: HTTPRequest) -> Bool {
        request.headerFields[.accept]?.lowercased().contains("text/html") == true
    }
}
