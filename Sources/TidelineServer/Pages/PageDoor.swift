// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import TidelineModel
import TidelineOData
import TidelineService

/// The pages for people: the first page, its stylesheet and mark, health, apps, and what is not found.
struct PageDoor {
    let registry: DomainRegistry
    let pool: WorkerPool
    let page: RootPage
    let web: WebDoor
    let isSecure: Bool
    let startedAt: ContinuousClock.Instant
    /// When the server started, in seconds after 1970.
    let started: Int64

    func respond(to request: Request, at address: RequestAddress) async throws -> Response {
        let isHead = request.method == .head
        switch address.path {
        case "/", "":
            try requireReading(request)
            return try await root(request, isHead: isHead)
        case "/healthz":
            try requireReading(request)
            return try await health(isHead: isHead)
        case "/robots.txt":
            return robots(isHead: isHead)
        case let path:
            let file = path == "/favicon.ico" ? "/assets/tideline.svg" : path
            return try web.respond(to: request, at: file) ?? NotFoundPage.answer(to: request.head, Self.notFound)
        }
    }

    private func requireReading(_ request: Request) throws {
        guard request.method == .get || request.method == .head else { throw Refusal.methodNotAllowed("GET, HEAD") }
    }

    private func root(_ request: Request, isHead: Bool) async throws -> Response {
        let base = base(of: request)
        let registry = registry
        let domains = try await pool.run { registry.all() }
        let views = domains.map { view($0.name, $0.lookup, base: base) }
        let html = page.html(
            apps: SampleApps.on(domains.map(\.name)),
            domains: views,
            base: base,
            uptime: ContinuousClock().now - startedAt,
            started: started,
            isSecure: isSecure
        )
        return Answer.bytes(
            Array(html.utf8),
            type: "text/html; charset=utf-8",
            fields: Self.pageFields.merging([.cacheControl: "no-cache"]),
            isHead: isHead
        )
    }

    private func health(isHead: Bool) async throws -> Response {
        let registry = registry
        let domains = try await pool.run { registry.all() }
        let broken = domains.count { if case .broken = $0.lookup { true } else { false } }
        let state = broken == 0 ? "ok" : "degraded"
        let json =
            "{\"status\":\"\(state)\",\"domains\":\(domains.count),\"unavailable\":\(broken),"
            + "\"version\":\"\(Release.version)\"}"
        return Answer.bytes(
            Array(json.utf8),
            type: "application/json",
            fields: [.cacheControl: "no-store"],
            isHead: isHead
        )
    }

    private func robots(isHead: Bool) -> Response {
        Answer.bytes(
            Array("User-agent: *\nDisallow: /\n".utf8),
            type: "text/plain; charset=utf-8",
            fields: Self.pageFields.merging([.cacheControl: "max-age=3600"]),
            isHead: isHead
        )
    }

    private func view(_ name: String, _ lookup: DomainRegistry.Lookup, base: String) -> RootPage.DomainView {
        let root = "/odata/\(name)/"
        guard case .loaded(let loaded) = lookup else {
            return RootPage.DomainView(
                name: name,
                isOpen: false,
                isUnavailable: true,
                root: root,
                sets: [],
                setsText: "",
                clone: "",
                query: nil,
                signIn: ""
            )
        }
        let sets = loaded.domain.model.sets
        let isOpen = loaded.domain.isOpen
        let url = base + root.dropFirst()
        return RootPage.DomainView(
            name: name,
            isOpen: isOpen,
            isUnavailable: false,
            root: root,
            sets: isOpen
                ? sets.map {
                    .init(name: $0.names.wire, href: "\(root)\($0.names.wire)?$top=20", isReadOnly: $0.isReadOnly)
                } : [],
            setsText: sets.count == 1 ? "1 entity set" : "\(sets.count) entity sets",
            clone: "tideline clone \(url) \(name).tideline" + (isOpen ? "" : " --user NAME"),
            query: isOpen ? sets.first.map { "tideline query \(name).tideline '\($0.names.wire)?$top=5'" } : nil,
            signIn: "curl \(base)auth/\(name)/token -H 'Content-Type: application/json' \\\n"
                + "  -d '{\"grant_type\":\"password\",\"username\":\"NAME\",\"password\":\"…\"}'",
            insecure: Self.insecure(loaded.domain)
        )
    }

    private static let notFound = Refusal(
        .notFound,
        "NotFound",
        "Nothing is at this address; data is at /odata/<domain>/."
    )

    /// What the log says of a domain with a door for older clients, for who looks here.
    private static func insecure(_ domain: Domain) -> String? {
        if domain.sixBookmarks != nil { return "those of Six Bookmarks of 2010 send passwords in addresses" }
        return domain.fishing == nil ? nil : "those of the old fishing app send tokens in addresses"
    }

    /// The server's address as the browser sees it; a host name with other characters than names have is not repeated.
    private func base(of request: Request) -> String {
        let host = request.head.authority ?? ""
        let isPlain =
            !host.isEmpty && host.utf8.count <= 255
            && host.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"),
                    UInt8(ascii: "["), UInt8(ascii: "]"):
                    true
                default: false
                }
            }
        return (isSecure ? "https://" : "http://") + (isPlain ? host : "localhost") + "/"
    }

    /// No script, no frame, nothing from elsewhere.
    static let pageFields: HTTPFields = {
        var fields = HTTPFields()
        fields[.contentSecurityPolicy] =
            "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'"
        fields[.xContentTypeOptions] = "nosniff"
        if let name = HTTPField.Name("Referrer-Policy") { fields[name] = "no-referrer" }
        return fields
    }()
}

extension HTTPFields {
    /// These fields and others, which win.
    func merging(_ others: HTTPFields) -> HTTPFields {
        var merged = self
        for field in others { merged[field.name] = field.value }
        return merged
    }
}
