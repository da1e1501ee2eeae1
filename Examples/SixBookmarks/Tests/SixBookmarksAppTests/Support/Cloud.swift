// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import HTTPTypes
import Synchronization
import Testing
import TidelineClient
import TidelineModel
import TidelineSQLite
import TidelineService
import TidelineStorage
import TidelineTestSupport

/// The service of `sixbookmarks` in this process, with its database, its users and a network that can be cut.
final class Cloud: Transport {
    private struct State {
        var isReachable = true
        var exchanges = 0
        var gate: (@Sendable (HTTPRequest) async throws -> Void)?
    }

    static let address = "http://127.0.0.1/odata/sixbookmarks/"
    private static let tables = """
        CREATE TABLE Users (UserId INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, Username VARCHAR(64) NOT NULL);
        CREATE TABLE Bookmarks (
            BookmarkId INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
            UserId INT NOT NULL REFERENCES Users (UserId) ON DELETE CASCADE,
            Name VARCHAR(128), Url VARCHAR(256), Ordinal INT NOT NULL%@);
        INSERT INTO Users VALUES (1001, 'ada'), (1002, 'grace');
        INSERT INTO Bookmarks VALUES (1, 1001, 'Google', 'http://www.google.co.uk', 0),
            (2, 1001, '.NET 247', 'http://www.dotnet247.com/', 1), (3, 1001, 'Topaz Filer', 'http://www.topazfiler.com/', 2),
            (4, 1002, 'Apress', 'http://www.apress.com/', 0);
        """

    let doorkeeper: Doorkeeper
    private let service: ODataService
    private let database: DatabaseQueue
    private let state = Mutex(State())

    /// - Parameter isStrict: whether the database holds one bookmark at a place; else it takes what comes.
    init(isStrict: Bool = true) throws {
        let path = "\(ProcessFolder.path)/cloud-\(UUID().uuidString).sqlite"
        database = try DatabaseQueue(path: path)
        let rule = isStrict ? ", UNIQUE (Ordinal, UserId)" : ""
        let sql = String(format: Self.tables, rule)
        try database.write { try $0.execute(sql: sql) }
        let model = try SQLitePublisher.publish(path: path, namespace: "SixBookmarks") { _ in }.model
        let mine = "UserId eq @me"
        let domain = Domain(
            name: "sixbookmarks",
            database: .init(path: path),
            model: model,
            policies: [
                Policy(role: "*", sets: ["Bookmarks"], operations: Policy.Operation.allCases, where: mine),
                Policy(role: "*", sets: ["Users"], operations: [.read], where: mine),
            ]
        )
        service = try ODataService(
            domain: domain,
            store: try SQLiteStore(path: path, model: model),
            signingKey: Array(repeating: 7, count: 32)
        ) { _, error in Issue.record("The service failed: \(error)") }
        func user(_ name: String, _ id: Int64) -> UserContext { UserContext(id: .integer(id), name: name) }
        doorkeeper = Doorkeeper(users: [
            "ada": ("tide-and-time-1", user("ada", 1001)), "grace": (" spaces count ", user("grace", 1002)),
            "mary": (nil, user("mary", 1003)),
        ])
    }

    /// Whether requests arrive.
    var isReachable: Bool {
        get { state.withLock { $0.isReachable } }
        set { state.withLock { $0.isReachable = newValue } }
    }

    /// The requests so far, those that did not arrive among them.
    var exchanges: Int { state.withLock { $0.exchanges } }

    /// Holds each request back until the function returns.
    func gate(_ body: (@Sendable (HTTPRequest) async throws -> Void)?) { state.withLock { $0.gate = body } }

    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> TransportResponse {
        let (isReachable, gate) = state.withLock { state in
            state.exchanges += 1
            return (state.isReachable, state.gate)
        }
        guard isReachable else {
            throw ClientError(.unreachable, "The service is not reached.", advice: "Look at the connection.")
        }
        try await gate?(request)
        if request.path?.hasPrefix("/auth/") == true { return try doorkeeper.answer(request, body) }
        guard let user = doorkeeper.user(of: request) else {
            return TransportResponse(head: HTTPResponse(status: .unauthorized), body: [])
        }
        let response = service.respond(to: request, body: body, user: user)
        return TransportResponse(head: response.head, body: try response.body.all())
    }

    /// Runs SQL as another program would.
    func execute(_ sql: String) throws { try database.write { try $0.execute(sql: sql) } }

    /// The names of a user's bookmarks with their places.
    func bookmarks(of user: Int64 = 1001) throws -> [String] {
        try database.read {
            try String.fetchAll(
                $0,
                sql: "SELECT Ordinal || ' ' || Name FROM Bookmarks WHERE UserId = ? ORDER BY Ordinal, BookmarkId",
                arguments: [user]
            )
        }
    }
}
