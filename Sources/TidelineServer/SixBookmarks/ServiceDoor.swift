// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Logging
import TidelineAccounts
import TidelineModel
import TidelineService

/// `/service/<domain>/…`: the pages of a domain whose users have accounts: register, sign in, users, bookmarks.
///
/// A domain has them when its file names the directories `accounts` and `users`, and it has the sets of six bookmarks.
/// Every change comes by POST from a form of these pages; every row goes through the domain's service.
struct ServiceDoor: Sendable {
    /// The largest form: six long names and addresses, percent-encoded.
    private static let formBytes = 64 * 1024

    let accounts: Accounts
    let registry: DomainRegistry
    let pool: WorkerPool
    let passwordPool: WorkerPool
    let isSecure: Bool
    let reader: BodyReader
    let guardian: FormGuard
    /// Of the forms that anybody may send.
    let limit: FormLimit
    let names: ServerNames
    let pages: ServicePages
    let renewals = SessionRenewals()
    let mails: any MailSender
    let logger: Logger

    /// - Parameter send: sends a request through the doors of this server, for the test client.
    func respond(
        to request: Request,
        at address: RequestAddress,
        _ context: ConnectionContext,
        send: TestClientPage.Send
    ) async throws -> Response {
        guard names.contains(request.head.authority) else { throw Refusal.strangeHost }
        guard let name = address.domain else { return NotFoundPage.answer(to: request.head, Self.notFound) }
        let registry = registry
        let loaded: LoadedDomain
        switch try await pool.run({ registry.lookup(String(name)) }) {
        case .loaded(let found) where Self.hasPages(found): loaded = found
        case .loaded, .unknown: return NotFoundPage.answer(to: request.head, Self.notFound)
        case .broken: return UnavailablePage.answer(to: request.head, Refusal.brokenDomain)
        }
        let cookies = PageCookies(path: "/service/\(name)/", isSecure: isSecure)
        guard let rest = address.rest else { return redirect(to: "", [], cookies) }
        guard request.method == .get || request.method == .head || request.method == .post else {
            throw Refusal.methodNotAllowed("GET, HEAD, POST")
        }
        var set: [String] = []
        let (secret, isNew) = secret(request)
        if isNew { set.append(cookies.set(FormGuard.cookie, secret)) }
        var page = PageRequest(
            loaded: loaded,
            base: cookies.path,
            path: rest.split(separator: "/").map(String.init),
            isForm: false,
            query: FormFields(target: request.head.path ?? ""),
            form: FormFields(),
            account: nil,
            signature: guardian.signature(of: secret),
            peer: context.peer ?? "",
            origin: (isSecure ? "https://" : "http://") + Self.host(request.head.authority)
        )
        let session = PageCookies.value(PageCookies.account, in: request.headers).flatMap(AccountSession.init)
        if let session {
            if let account = try await account(session, page) {
                page.account = account.user
                if let renewed = account.renewed { set.append(cookies.set(PageCookies.account, renewed)) }
            } else {
                set.append(cookies.remove(PageCookies.account))
            }
        }
        if request.method == .get, let done = PageCookies.value(PageCookies.done, in: request.headers),
            done == page.query["done"]
        {
            page.done = done
            set.append(cookies.remove(PageCookies.done))
        }
        if request.method == .post {
            guard isSecure || context.isLoopback else { throw Refusal.plainText }
            page.form = try await form(request)
            page.isForm = true
            if let refused = refused(request, page, isNew ? nil : secret) { return answer(refused, page, set, request) }
        }
        let reply = try await reply(to: page, request, session, send)
        return try await finish(reply, page, set, cookies, request)
    }

    // MARK: Before the page

    static func hasPages(_ loaded: LoadedDomain) -> Bool {
        loaded.directories.count == 2 && loaded.directory("accounts") != nil && loaded.directory("users") != nil
            && ["ApiAccounts", "Users", "Bookmarks"].allSatisfy { loaded.domain.model[set: $0] != nil }
    }

    private func secret(_ request: Request) -> (String, isNew: Bool) {
        let given = PageCookies.value(FormGuard.cookie, in: request.headers)
        if let given, given.utf8.count == 64, given.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x66 }) {
            return (given, false)
        }
        return (FormGuard.secret(), true)
    }

    private func account(
        _ session: AccountSession,
        _ page: PageRequest
    ) async throws -> (user: User, renewed: String?)? {
        let accounts = accounts
        let renewals = renewals
        return try await pool.run { try session.account(accounts, page.loaded, page.accounts, renewals) }
    }

    private func form(_ request: Request) async throws -> FormFields {
        let type = request.headers[.contentType]?.lowercased() ?? ""
        guard type.hasPrefix("application/x-www-form-urlencoded") else {
            throw Refusal(.unsupportedMediaType, "UnsupportedMediaType", "These pages take the forms of a browser.")
        }
        guard let form = FormFields(try await reader.read(request, limit: Self.formBytes)) else {
            throw Refusal(.badRequest, "InvalidBody", "The form is not UTF-8 text.")
        }
        return form
    }

    /// A form that is not taken: of another page, or one too many.
    private func refused(_ request: Request, _ page: PageRequest, _ secret: String?) -> PageReply? {
        guard guardian.accepts(page.form, secret: secret, head: request.head) else {
            return pages.message(
                page,
                .forbidden,
                "This form is too old",
                "It was not sent from a page that this browser has open, or the browser keeps no cookies. Nothing was changed. "
                    + "Go back, load the page again, and send it once more.",
                link: ("Back to the first page", page.base)
            )
        }
        if page.path == ["reset"], page.form["token"].isEmpty, !names.canBeLinked(request.head.authority) {
            logger.warning("No link for a password is sent: no --host-name is the name that it was asked for by")
            return pages.message(
                page,
                .misdirectedRequest,
                "No link can be sent from here",
                "A link leads to a name that this server was started with, and you came by another one. "
                    + "Ask who looks after the service.",
                link: ("Back to the first page", page.base)
            )
        }
        let isForAll = page.path == ["register"] || page.path == ["reset"]
        guard isForAll, !limit.admits(page.peer) else { return nil }
        return pages.message(
            page,
            .tooManyRequests,
            "Too many at once",
            "From your address too many forms came in a short time. Wait a minute, go back, and send it again.",
            link: ("Back to the first page", page.base)
        )
    }

    private func reply(
        to page: PageRequest,
        _ request: Request,
        _ session: AccountSession?,
        _ send: TestClientPage.Send
    ) async throws -> PageReply {
        if page.path == ["test"] {
            return try await pages.test.respond(to: page, authority: request.head.authority, send: send)
        }
        let pages = pages
        let accounts = accounts
        // Passwords are slow; what has none does not wait for them.
        let isSlow = page.isForm && (!page.form["Password"].isEmpty || page.path == ["reset"])
        return try await (isSlow ? passwordPool : pool).run {
            if page.path == ["sign-out"], page.isForm {
                if let session { try accounts.revoke(session.refresh, domain: page.accounts.domain) }
                return .signedOut(to: "?done=signed-out")
            }
            return try pages.respond(to: page)
        }
    }

    // MARK: After it

    private func finish(
        _ reply: PageReply,
        _ page: PageRequest,
        _ set: [String],
        _ cookies: PageCookies,
        _ request: Request
    ) async throws -> Response {
        switch reply {
        case .redirect(let path): return redirect(to: path, set, cookies)
        case .signedIn(let session, let path):
            return redirect(to: path, set + [cookies.set(PageCookies.account, session)], cookies)
        case .signedOut(let path):
            return redirect(to: path, set + [cookies.remove(PageCookies.account)], cookies)
        case .mailed(let path, let mail):
            if let mail { dispatch(mail, page.loaded.domain.name) }
            return redirect(to: path, set, cookies)
        case .page: return answer(reply, page, set, request)
        }
    }

    /// Sends a mail while the answer goes out.
    private func dispatch(_ mail: Mail, _ domain: String) {
        let mails = mails
        let logger = logger
        Task {
            do {
                try await mails.send(mail)
            } catch {
                logger.error("A mail was not sent", metadata: ["domain": "\(domain)", "error": "\(error)"])
            }
        }
    }

    private func answer(_ reply: PageReply, _ page: PageRequest, _ set: [String], _ request: Request) -> Response {
        let title: String
        let content: String
        var status = HTTPResponse.Status.ok
        switch reply {
        case .page(let text, let html, let code): (title, content, status) = (text, html, code)
        default: (title, content) = ("", "")
        }
        var fields = Self.fields
        for cookie in set { fields.append(HTTPField(name: .setCookie, value: cookie)) }
        return Answer.bytes(
            Array(pages.renderer.page(title, content, page).utf8),
            type: "text/html; charset=utf-8",
            status: status,
            fields: fields,
            isHead: request.method == .head
        )
    }

    /// Leads to another of these pages.
    ///
    /// What was done goes along in a cookie: the address is the same when the page is loaded again.
    private func redirect(to path: String, _ set: [String], _ cookies: PageCookies) -> Response {
        var fields: HTTPFields = [.location: cookies.path + path, .cacheControl: "no-store"]
        let done = FormFields(target: path)["done"]
        if !done.isEmpty {
            fields.append(
                HTTPField(
                    name: .setCookie,
                    value: cookies.set(PageCookies.done, done, seconds: PageCookies.doneSeconds)
                )
            )
        }
        for cookie in set { fields.append(HTTPField(name: .setCookie, value: cookie)) }
        return Response(status: .seeOther, headers: fields)
    }

    /// No script, no frame, nothing from elsewhere; forms go to this server.
    private static let fields: HTTPFields = {
        var fields = PageDoor.pageFields
        fields[.contentSecurityPolicy] =
            "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; "
            + "frame-ancestors 'none'"
        fields[.cacheControl] = "no-store"
        // Without an origin a browser could not be asked whether a form is ours.
        if let name = HTTPField.Name("Referrer-Policy") { fields[name] = "same-origin" }
        return fields
    }()

    private static let notFound = Refusal(.notFound, "NotFound", "No domain of this server has pages at this address.")

    /// The server's name in a link; what no name of a host holds is not repeated.
    private static func host(_ authority: String?) -> String {
        let host = authority ?? ""
        let isPlain =
            !host.isEmpty && host.utf8.count <= 255
            && host.utf8.allSatisfy { byte in
                byte > 0x20 && byte < 0x7F && !Array("/\\?#@\"'<>%&".utf8).contains(byte)
            }
        return isPlain ? host : "localhost"
    }
}
