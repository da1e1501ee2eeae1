// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing
import TidelineOData
import TidelineAccounts
import TidelineModel
import TidelineSQLite
import TidelineStorage
import TidelineService
import TidelineTestSupport

@testable import TidelineServer

/// The domain `sixbookmarks` with its door for clients of 2010 open; ada of tideline has the bookmarks of the book.
struct BookmarksWorld {
    let six: SixBookmarksWorld

    var server: Server { six.server }

    init(_ adjust: (inout SixBookmarksCompatibility) -> Void = { _ in }) throws {
        six = try SixBookmarksWorld()
        let file = six.data.file(domain: "sixbookmarks")
        var domain = try Domain(contentsOf: file)
        var settings = SixBookmarksCompatibility(
            set: "Bookmarks",
            owner: "UserId",
            accounts: "accounts",
            users: "users"
        )
        settings.failures = .distinct
        adjust(&settings)
        domain.sixBookmarks = settings
        try domain.write(to: file)
        try six.run(
            """
            DELETE FROM Bookmarks WHERE UserId = 1001;
            INSERT INTO Bookmarks VALUES (1001, 1001, 'Google', 'http://www.google.co.uk', 0);
            INSERT INTO Bookmarks VALUES (1002, 1001, '.NET 247', 'http://www.dotnet247.com/', 1);
            INSERT INTO Bookmarks VALUES (1003, 1001, 'Topaz Filer', 'http://www.topazfiler.com/', 2);
            """
        )
    }

    /// Runs a body against the running server.
    func run(_ body: @escaping @Sendable (BookmarksClient) async throws -> Void) async throws {
        let server = server
        try await server.application().test(.live) { client in try await body(BookmarksClient(client: client)) }
    }

    /// The signing in and out without the door before it: what comes between two steps of a request can be tried.
    func session() throws -> BookmarksSession {
        let domain = try Domain(contentsOf: six.data.file(domain: "sixbookmarks"))
        let settings = try #require(domain.sixBookmarks)
        let store = try SQLiteStore(path: six.database, model: domain.storeModel)
        let commits = CommitHint()
        let service = try ODataService(
            domain: domain,
            store: ObservedStore(base: store, hint: commits),
            signingKey: Array(repeating: 7, count: 32)
        )
        let loaded = LoadedDomain(
            domain: domain,
            service: service,
            events: DomainEvents(
                service: service,
                commits: commits,
                store: store,
                pool: WorkerPool(threads: 1, capacity: 1),
                logger: Logger(label: "test", factory: { [log = six.log] _ in LogRecorder.Handler(recorder: log) })
            ),
            directories: domain.signIn.map { UserDirectory($0, of: domain.name, in: store) }
        )
        return BookmarksSession(loaded: loaded, settings: settings, accounts: six.accounts)
    }

    /// The bookmarks that the database has of a user: `ordinal name url`, in the order of their ordinals.
    func rows(of user: Int = 1001) async throws -> [String] {
        let token = try await server.application().test(.live) { client in
            let name = user == 1001 ? "tideline/ada" : "tideline/grace"
            let token = try await client.token(name)
            return try await client.read("Bookmarks?$orderby=Ordinal", token)
        }
        return (token.json["value"] as? [[String: Any]] ?? []).map { row in
            "\(row["Ordinal"] ?? "") \(row["Name"] ?? "") \(row["Url"] ?? "")"
        }
    }
}

/// A client of 2010: both of its headers, and any method.
struct BookmarksClient: Sendable {
    let client: any TestClientProtocol
    var root = "/services"
    var account: String? = "tideline"
    var token: String?

    static let entry = "application/atom+xml"

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String? = nil,
        type: String? = nil,
        fields: HTTPFields = [:],
        bytes: [UInt8]? = nil
    ) async throws -> TestResponse {
        var fields = fields
        if let account, let name = HTTPField.Name("x-amx-apiusername") { fields[name] = account }
        if let token, let name = HTTPField.Name("x-amx-token") { fields[name] = token }
        if let type { fields[.contentType] = type }
        return try await client.execute(
            uri: "\(root)/\(path)",
            method: method,
            headers: fields,
            body: bytes.map { ByteBuffer(bytes: $0) } ?? body.map { ByteBuffer(string: $0) }
        )
    }

    func get(_ path: String, _ fields: HTTPFields = [:]) async throws -> TestResponse {
        try await send(.get, path, fields: fields)
    }

    /// With `application/atom+xml`, as both clients send it.
    func merge(_ path: String, _ body: String) async throws -> TestResponse {
        try await send(HTTPRequest.Method("MERGE") ?? .patch, path, body, type: Self.entry)
    }

    func post(_ body: String, type: String = Self.entry) async throws -> TestResponse {
        try await send(.post, "Bookmarks.svc/Bookmark", body, type: type)
    }

    /// The same with a new token of its account.
    func loggedOn() async throws -> BookmarksClient {
        var other = self
        other.token = nil
        let password = SixBookmarksWorld.password(account ?? "").replacingOccurrences(of: " ", with: "%20")
        let answer = try await other.get("apirest.aspx?operation=logon&password=\(password)")
        other.token = answer.element("Token")
        return other
    }

    /// The same with a token that is a user's.
    func loggedOn(as user: String) async throws -> BookmarksClient {
        let other = try await loggedOn()
        let answer = try await other.logOn(user)
        guard answer.element("Result") == "LogonOk" else { throw Failure(text: answer.text) }
        return other
    }

    func logOn(_ user: String, password: String? = nil) async throws -> TestResponse {
        let password = (password ?? SixBookmarksWorld.password(user)).replacingOccurrences(of: " ", with: "+")
        return try await get("usersrest.aspx?operation=logon&username=\(user)&password=\(password)")
    }

    struct Failure: Error { var text: String }
}

extension TestResponse {
    /// The text of the first element of that name in an answer of XML.
    func element(_ name: String) -> String? { texts(name).first }

    /// The texts of all elements of that name.
    func texts(_ name: String) -> [String] {
        var found: [String] = []
        func walk(_ tree: XMLTree) {
            if tree.name == name { found.append(tree.text) }
            for child in tree.children { walk(child) }
        }
        if let tree = try? XMLTree.read(Array(body.readableBytesView)) { walk(tree) }
        return found
    }
}
