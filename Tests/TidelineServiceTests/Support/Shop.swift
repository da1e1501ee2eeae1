// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineSQLite
import TidelineStorage
import TidelineTestSupport

@testable import TidelineService

/// A published database in a file of its own, and a service over it.
///
/// Alice is 1, Bob is 2.
final class Shop {
    static let alice = UserContext(id: .integer(1), name: "alice", roles: ["buyer"])
    static let bob = UserContext(id: .integer(2), name: "bob", roles: ["buyer"])

    static let schema = """
        CREATE TABLE Clients (ClientId INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT NOT NULL, OwnerId INTEGER, Code TEXT UNIQUE);
        CREATE TABLE Orders (OrderId INT NOT NULL PRIMARY KEY, Title TEXT, Total INTEGER NOT NULL DEFAULT 0,
            ClientId INTEGER REFERENCES Clients(ClientId) ON DELETE CASCADE);
        CREATE TABLE Notes (NoteId TEXT NOT NULL PRIMARY KEY, OwnerId INTEGER NOT NULL, Text TEXT, Slug TEXT UNIQUE);
        """
    /// Alice has clients 1 and 3, Bob has client 2; each client has the order of ten times its number.
    static let rows = """
        INSERT INTO Clients VALUES (1, 'Ann', 1, 'A'), (2, 'Ben', 2, 'B'), (3, 'Cid', 1, NULL);
        INSERT INTO Orders VALUES (10, 'ten', 100, 1), (20, 'twenty', 200, 2), (30, 'thirty', 300, 3), (40, 'none', 0, NULL);
        INSERT INTO Notes VALUES ('a', 1, 'first', 's1'), ('b', 2, 'second', 's2'), ('c', 1, NULL, NULL);
        """
    static let policies = [
        Policy(role: "*", sets: ["Clients", "Notes"], operations: Policy.Operation.allCases, where: "OwnerId eq @me"),
        Policy(role: "buyer", sets: ["Orders"], operations: Policy.Operation.allCases, where: "Client/OwnerId eq @me"),
    ]

    let path: String
    let store: SQLiteStore
    let domain: Domain
    let service: ODataService
    /// The tests' own way into the file, as any other program has one.
    let database: DatabaseQueue

    /// - Parameter tables: SQL that makes more tables.
    init(
        open: Bool = false,
        policies: [Policy] = Shop.policies,
        limits: ServiceLimits = ServiceLimits(),
        requiresIfMatch: Bool = false,
        adding tables: String = "",
        now: (@Sendable () -> Int64)? = nil,
        shaping: (inout [EntitySet]) -> Void = { _ in },
        finishing: (inout EntityModel) -> Void = { _ in },
        handlers: [OperationHandler] = [],
        report: @escaping @Sendable (String, any Error) -> Void = { id, error in print("error \(id): \(error)") },
        tell: @escaping @Sendable (BatchFailures) -> Void = { _ in }
    ) throws {
        path = "\(ProcessFolder.path)/shop-\(UInt64.random(in: 0 ... .max)).sqlite"
        database = try DatabaseQueue(path: path)
        try database.write { try $0.execute(sql: Shop.schema + Shop.rows + tables) }
        let found = try SQLitePublisher.publish(path: path, namespace: "Shop") { _ in }
        var sets = found.model.sets
        shaping(&sets)
        var model = EntityModel(namespace: "Shop", sets: sets)
        finishing(&model)
        domain = Domain(
            name: "shop",
            database: Domain.Database(path: path),
            isOpen: open,
            requiresIfMatch: requiresIfMatch,
            model: model,
            policies: open ? [] : policies,
            limits: limits
        )
        store = try SQLiteStore(
            path: path,
            model: domain.model,
            options: SQLiteStore.Options(scopes: domain.scopeProperties)
        )
        service = try ODataService(
            domain: domain,
            store: store,
            signingKey: Array(repeating: 7, count: 32),
            operations: handlers,
            report: report,
            tell: tell,
            now: now
        )
    }

    func sql(_ text: String) throws {
        try database.write { try $0.execute(sql: text) }
    }

    /// One value of the database, as text.
    func value(_ sql: String) throws -> String? {
        try database.read { try String.fetchOne($0, sql: sql) }
    }

    struct Reply: Equatable {
        var status: Int
        var text: String
        var fields: HTTPFields

        /// The value of a link in the body.
        func link(_ name: String) -> String? {
            guard let start = text.range(of: "\"@\(name)\":\"")?.upperBound else { return nil }
            return String(text[start...].prefix { $0 != "\"" })
        }
    }

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String = "",
        _ headers: [String: String] = [:],
        as user: UserContext = Shop.alice
    ) -> Reply {
        send(method, path, bytes: Array(body.utf8), headers, as: user)
    }

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        bytes body: [UInt8],
        _ headers: [String: String] = [:],
        as user: UserContext = Shop.alice
    ) -> Reply {
        var fields = HTTPFields()
        fields[.odataMaxVersion] = "4.01"
        if !body.isEmpty { fields[.contentType] = "application/json" }
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { fields[name] = value.isEmpty ? nil : value }
        }
        let request = HTTPRequest(
            method: method,
            scheme: nil,
            authority: nil,
            path: path.hasPrefix("/") ? path : "/odata/shop/" + path,
            headerFields: fields
        )
        let response = service.respond(to: request, body: body, user: user)
        let bytes = (try? response.body.all()) ?? []
        return Reply(
            status: response.head.status.code,
            text: String(decoding: bytes, as: UTF8.self),
            fields: response.head.headerFields
        )
    }

    func get(_ path: String, _ headers: [String: String] = [:], as user: UserContext = Shop.alice) -> Reply {
        send(.get, path, "", headers, as: user)
    }

    /// The ETag of an entity, as its owner sees it.
    func etag(_ path: String, as user: UserContext = Shop.alice) -> String {
        get(path, as: user).fields[.eTag] ?? ""
    }

    static func code(_ reply: Reply) -> String? { ErrorBody.read(Array(reply.text.utf8))?.code }
    static func message(_ reply: Reply) -> String? { ErrorBody.read(Array(reply.text.utf8))?.message }
}

extension String {
    fileprivate func range(of text: String) -> Range<String.Index>? {
        var place = startIndex
        while place < endIndex {
            if self[place...].hasPrefix(text) { return place..<index(place, offsetBy: text.count) }
            place = index(after: place)
        }
        return nil
    }

    /// The text with every ETag made the same, for bytes that are written by hand.
    var withoutETags: String {
        var text = ""
        var rest = self[...]
        while let mark = rest.firstRange(of: "W/\\\"") {
            text += rest[..<mark.upperBound]
            rest = rest[mark.upperBound...].dropFirst(22)
        }
        return text + rest
    }
}
