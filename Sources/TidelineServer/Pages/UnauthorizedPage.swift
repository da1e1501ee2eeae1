// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import TidelineOData
import TidelineService

/// The page for who opens data of a domain in a browser and is not signed in: where to sign in, and how programs do.
///
/// It repeats nothing of the address but the name of a domain.
enum UnauthorizedPage {
    /// The page to a browser that reads data, the error to a program.
    ///
    /// - Parameters:
    ///   - refusal: a 401, whose challenge the page carries too.
    ///   - domain: the domain as the address names it, which need not be one.
    static func answer(to request: HTTPRequest, _ refusal: Refusal, domain: Substring?) -> Response {
        guard request.method == .get || request.method == .head, PlainPage.isWanted(by: request) else {
            return Answer.refusal(refusal, request: request)
        }
        var fields = PageDoor.pageFields.merging([.cacheControl: "no-store", .vary: "Accept"])
        // One field for each scheme that is taken.
        for challenge in refusal.fields[fields: .wwwAuthenticate] { fields.append(challenge) }
        return Answer.bytes(
            Array(html(refusal.error.code, domain: domain.map { String($0) }).utf8),
            type: "text/html; charset=utf-8",
            status: refusal.status,
            fields: fields,
            isHead: request.method == .head
        )
    }

    /// - Parameter code: what the error for a program says.
    static func html(_ code: String, domain: String?) -> String {
        // A name of a domain has no character that HTML knows; what is none is not repeated.
        let name = domain.flatMap { Domain.isName($0) ? $0 : nil }
        return PlainPage.html(
            title: "Sign in",
            main: "<h1>\(heading(code))</h1>\n" + lead(name) + places(name) + program(name)
        )
    }

    private static func heading(_ code: String) -> String {
        switch code {
        case "InvalidToken": "This sign-in has ended"
        case "InvalidCredentials": "The name or the password is wrong"
        default: "Sign in to see this data"
        }
    }

    private static func lead(_ name: String?) -> String {
        let owner = name.map { "The domain <code>\($0)</code> shows" } ?? "A domain shows"
        return """
            <p class="lead">\(owner) each of its users what they may see, and has to know who asks. An address that is opened in a browser does not say it.</p>

            """
    }

    /// The apps and pages in which users of the domain sign in.
    private static func places(_ name: String?) -> String {
        let apps = SampleApps.on(name.map { [$0] } ?? [])
        guard !apps.isEmpty else { return "" }
        let items = apps.map { app in
            """
            <li>
            <img src="\(app.icon)" alt="" width="40" height="40">
            <div>
            <h3><a href="\(app.signIn ?? app.href)">\(app.name)</a></h3>
            <p>\(app.text)</p>
            </div>
            </li>
            """
        }
        return """
            <h2>Where to sign in</h2>
            <ul class="apps">
            \(items.joined(separator: "\n"))
            </ul>

            """
    }

    private static func program(_ name: String?) -> String {
        guard let name else {
            return "<p><a href=\"/\">The first page</a> lists the domains and says how to sign in.</p>"
        }
        return """
            <h2>From a program</h2>
            <p>A name and a password, posted to <code>/auth/\(name)/token</code>, give a token; it goes with each request as <code>Authorization: Bearer</code>. The <a href="/#domain-\(name)">first page</a> has the line for a terminal.</p>
            """
    }
}
