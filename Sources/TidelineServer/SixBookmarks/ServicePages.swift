// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineAccounts

/// Finds the page of a path.
struct ServicePages: Sendable {
    let renderer: PageRenderer
    let test: TestClientPage
    private let register: RegisterPage
    private let signIn: SignInPage
    private let reset: ResetPage
    private let users: UsersPage
    private let bookmarks: BookmarksPage

    /// - Parameter key: the secret that links for another password are signed with.
    /// - Throws: when a template has an error, which its test would show.
    init(accounts: Accounts, key: [UInt8]) throws {
        renderer = try PageRenderer()
        test = TestClientPage(renderer: renderer)
        register = RegisterPage(accounts: accounts, renderer: renderer)
        signIn = SignInPage(accounts: accounts, renderer: renderer)
        reset = ResetPage(accounts: accounts, renderer: renderer, key: key)
        users = UsersPage(accounts: accounts, renderer: renderer)
        bookmarks = BookmarksPage(renderer: renderer)
    }

    /// Blocks.
    func respond(to request: PageRequest) throws -> PageReply {
        do {
            return try find(request)
        } catch let error as PageRows.Refused where error.isFailure {
            return failed(request, error)
        }
    }

    private func find(_ request: PageRequest) throws -> PageReply {
        switch request.path.first {
        case nil: return .page(title: "Welcome", html: renderer.html("welcome", request))
        case "register" where request.path.count == 1: return try register.respond(to: request)
        case "sign-in" where request.path.count == 1: return try signIn.respond(to: request)
        case "reset" where request.path.count == 1: return try reset.respond(to: request)
        case "users":
            guard let account = request.account else {
                // A redirection would lose what was typed; the browser can send the form again.
                if request.isForm { return signedOut(request) }
                return .redirect("sign-in?next=\(request.path.joined(separator: "/"))")
            }
            return try usersPage(request, account) ?? notFound(request)
        default: return notFound(request)
        }
    }

    private func usersPage(_ request: PageRequest, _ account: User) throws -> PageReply? {
        let path = request.path.dropFirst()
        guard let first = path.first else { return request.isForm ? nil : try users.list(request, account) }
        if path.count == 1, first == "new" { return try users.add(request, account) }
        guard let key = Int64(first), "\(key)" == first else { return nil }
        switch Array(path.dropFirst()) {
        case []: return try users.edit(request, account, key)
        case ["bookmarks"]: return try bookmarks.respond(to: request, account, key)
        default: return nil
        }
    }

    private func signedOut(_ request: PageRequest) -> PageReply {
        message(
            request,
            .forbidden,
            "You are signed out",
            "Your sign-in ended meanwhile, and nothing was saved. Sign in in another window, then load this page again: "
                + "your browser still has what you typed, and sends it once more.",
            link: ("Sign in", request.base + "sign-in")
        )
    }

    /// What is said where not even the rows of a page can be read.
    private func failed(_ request: PageRequest, _ error: PageRows.Refused) -> PageReply {
        let next =
            request.isForm
            ? "Nothing was saved. Wait a moment, go back, and send it once more: your browser still has what you typed."
            : "Wait a moment, then try again."
        return message(
            request,
            error.status,
            "The service cannot answer now",
            "Its database is busy or failed; it is the service's turn. \(next) Code to report: \(error.code).",
            link: (
                request.isForm ? "Back to the first page" : "Try again",
                request.isForm ? request.base : request.base + request.path.joined(separator: "/")
            )
        )
    }

    private func notFound(_ request: PageRequest) -> PageReply {
        message(
            request,
            .notFound,
            "Nothing is here",
            "No page of the service has this address, or it is not one of your account's.",
            link: ("Back to the first page", request.base)
        )
    }

    /// A page that says one thing.
    func message(
        _ request: PageRequest,
        _ status: HTTPResponse.Status,
        _ heading: String,
        _ message: String,
        link: (text: String, href: String)
    ) -> PageReply {
        let values = ["heading": heading, "message": message, "href": link.href, "link": link.text]
        return .page(title: heading, html: renderer.html("message", request, values), status: status)
    }
}
