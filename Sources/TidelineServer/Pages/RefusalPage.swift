// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import TidelineOData

/// The page for who opens data in a browser at an address that no domain has, or by a name that is not the server's.
///
/// It repeats nothing of the address.
enum RefusalPage {
    /// The page to a browser that reads, the error to a program, and to a browser where no page is made for it.
    static func answer(to request: HTTPRequest, _ refusal: Refusal) -> Response {
        guard request.method == .get || request.method == .head, PlainPage.isWanted(by: request),
            let html = html(refusal.error.code)
        else { return Answer.refusal(refusal, request: request) }
        return Answer.bytes(
            Array(html.utf8),
            type: "text/html; charset=utf-8",
            status: refusal.status,
            fields: PageDoor.pageFields.merging([.cacheControl: "no-store", .vary: "Accept"]).merging(refusal.fields),
            isHead: request.method == .head
        )
    }

    /// - Parameter code: what the error for a program says.
    private static func html(_ code: String) -> String? {
        switch code {
        case "DomainNotFound": NotFoundPage.html
        case "DomainUnavailable": UnavailablePage.html(code, isReading: true)
        case "UnknownHost":
            PlainPage.html(
                title: "Another name",
                main: """
                    <h1>This server has another name</h1>
                    <p class="lead">The address calls this server by a name that it does not go by, so it shows no data there. On this machine, open it as <code>localhost</code>.</p>
                    <p>Behind a proxy, it is started with <code>--host-name</code> and the name of the proxy.</p>
                    """
            )
        default: nil
        }
    }
}
