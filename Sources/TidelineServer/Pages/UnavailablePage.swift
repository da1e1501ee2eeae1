// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import TidelineOData

/// The page for a domain that cannot be served for a while, such as when its database is away.
///
/// It repeats nothing of the address.
enum UnavailablePage {
    /// The page to a browser, the error to a program.
    ///
    /// - Parameter refusal: a 503, whose fields the page carries too.
    static func answer(to request: HTTPRequest, _ refusal: Refusal) -> Response {
        guard PlainPage.isWanted(by: request) else { return Answer.refusal(refusal, request: request) }
        let isReading = request.method == .get || request.method == .head
        return Answer.bytes(
            Array(html(refusal.error.code, isReading: isReading).utf8),
            type: "text/html; charset=utf-8",
            status: refusal.status,
            fields: PageDoor.pageFields.merging([.cacheControl: "no-store", .vary: "Accept"]).merging(refusal.fields),
            isHead: request.method == .head
        )
    }

    /// - Parameters:
    ///   - code: what the error for a program says.
    ///   - isReading: whether a page was asked for, and no form sent.
    static func html(_ code: String, isReading: Bool) -> String {
        // A link without an address of its own leads to the same page.
        let next =
            isReading
            ? "<p><a href=\"\">Try again</a></p>"
            : "<p>Nothing was saved. Go back and send it once more: your browser still has what you typed.</p>"
        return PlainPage.html(
            title: "Not available now",
            main: """
                <h1>Not available now</h1>
                <p class="lead">The data of these pages cannot be reached for the moment. It is the server's turn: it looks again by itself, every few seconds.</p>
                \(next)
                <p class="quiet">Code to report: <code>\(code)</code></p>
                """
        )
    }
}
