// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import TidelineAccounts
import TidelineModel
import TidelineSQLite
import TidelineStorage
import TidelineService
import TidelineTestSupport

@testable import TidelineServer

/// A server with the domain `sixbookmarks`: the accounts `tideline` (users ada and grace) and `other` (another ada).
final class SixBookmarksWorld: Sendable {
    let data: DataDirectory
    let accounts: Accounts
    let server: Server
    let log: LogRecorder
    let mails = MailRecorder()
    /// The database of the domain.
    var database: String { data.folder(domain: "sixbookmarks") + "/data.sqlite" }

    /// The password of a user or an account.
    static func password(_ name: String) -> String { "the password of \(name)" }

    init(
        host: String = "127.0.0.1",
        hostNames: [String] = [],
        tls: ServerSettings.TLS? = nil,
        takesBasic: Bool = false,
        busyTimeout: Duration = .seconds(10)
    ) throws {
        data = DataDirectory(path: ProcessFolder.path + "/six-\(UUID().uuidString)")
        try data.create()
        try SQLiteSchema.create(ControlModel.model, path: data.control)
        accounts = Accounts(
            store: try SQLiteStore(path: data.control, model: ControlModel.model, options: .untracked),
            cost: PasswordCost(rounds: 16, blockSize: 1, parallelism: 1)
        )
        try Self.publish(data, accounts)
        let log = LogRecorder()
        self.log = log
        server = try Server(
            settings: ServerSettings(
                host: host,
                hostNames: hostNames,
                port: 0,
                tls: tls,
                takesBasic: takesBasic,
                cores: 2
            ),
            data: data,
            accounts: accounts,
            logger: Logger(label: "test", factory: { _ in LogRecorder.Handler(recorder: log) }),
            mails: mails
        ) { domain, folder in
            try SQLiteStore(
                path: folder + "/" + domain.database.path,
                model: domain.model,
                options: .init(scopes: domain.scopeProperties, busyTimeout: busyTimeout)
            )
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: data.path) }

    /// Runs SQL on the domain's database, as another program would.
    func run(_ sql: String) throws { try SQLiteScript.run(sql, path: database) }

    /// The database's write lock, which another program has while `body` runs.
    func whileBusy<Result>(_ body: () async throws -> Result) async throws -> Result {
        let (store, _) = try openStore()
        let begun = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        async let other: Void = OwnThread.run {
            try store.write { _ in
                begun.signal()
                ended.wait()
            }
        }
        defer { ended.signal() }
        try await OwnThread.run { begun.wait() }
        let result = try await body()
        ended.signal()
        try await other
        return result
    }

    /// A store of its own over the domain's database.
    private func openStore() throws -> (store: SQLiteStore, domain: Domain) {
        let domain = try Domain(contentsOf: data.file(domain: "sixbookmarks"))
        return (try SQLiteStore(path: database, model: domain.storeModel), domain)
    }

    /// The directory of that name, over a store of its own.
    func directory(_ name: String) throws -> UserDirectory {
        let (store, domain) = try openStore()
        let found = domain.signIn.first { $0.name == name }
        return try UserDirectory(requireValue(found), of: domain.name, in: store)
    }

    private static func publish(_ data: DataDirectory, _ accounts: Accounts) throws {
        let folder = data.folder(domain: "sixbookmarks")
        try DataDirectory.makeFolder(folder)
        let path = folder + "/data.sqlite"
        var sql = SixBookmarksSchema.tables
        for (id, name) in [(1, "tideline"), (2, "other")] {
            let hash = try accounts.hashText(of: password(name))
            sql += "INSERT INTO ApiAccounts VALUES (\(id), '\(name)', '\(hash)', 'F', 'L', 'C', '1', '2', '3', 'Bern', "
            sql += "'BE', '3000', 'Switzerland', '\(name)@example.com', 0);\n"
        }
        for (id, account, name) in [(1001, 1, "ada"), (1002, 1, "grace"), (2001, 2, "ada")] {
            let hash = try accounts.hashText(of: password(name))
            sql += "INSERT INTO Users VALUES (\(id), \(account), '\(name)', '\(hash)', 'First', 'Last', NULL, 1);\n"
            for place in 0..<3 {
                sql += "INSERT INTO Bookmarks VALUES (\(id * 10 + place), \(id), 'Mark \(place)', "
                sql += "'https://example.com/\(id)/\(place)', \(place));\n"
            }
        }
        try SQLiteScript.run(sql, path: path)
        try SQLitePublisher.publish(path: path, namespace: "SixBookmarks", skipping: SixBookmarksSchema.hidden) {
            var model = $0.model
            SixBookmarksSchema.complete(&model)
            let base = Domain(name: "sixbookmarks", database: .init(path: "data.sqlite"), model: model).yaml
            let text = base.replacingOccurrences(of: "policies: []\n", with: SixBookmarksSchema.signInAndPolicies)
            try Domain(yaml: text).write(to: data.file(domain: "sixbookmarks"))
        }
    }
}

extension TestClientProtocol {
    /// Signs in to `sixbookmarks`, with the right password where none is given.
    func signInSix(
        _ name: String,
        password: String? = nil,
        directory: String? = nil
    ) async throws -> TestResponse {
        let password = password ?? SixBookmarksWorld.password(String(name.split(separator: "/").last ?? ""))
        let which = directory.map { #","directory":"\#($0)""# } ?? ""
        return try await post(
            "/auth/sixbookmarks/token",
            #"{"grant_type":"password","username":"\#(name)","password":"\#(password)"\#(which)}"#
        )
    }

    /// The access token of a user, or of an account.
    func token(_ name: String, directory: String? = nil) async throws -> String {
        try await signInSix(name, directory: directory).json["access_token"] as? String ?? ""
    }

    /// Reads from `sixbookmarks`.
    func read(_ path: String, _ token: String) async throws -> TestResponse {
        let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? path
        return try await get("/odata/sixbookmarks/\(escaped)", [.authorization: "Bearer \(token)"])
    }
}

/// The value, or an error.
private func requireValue<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw AccountsError(.unknownUser, "There is no such directory.") }
    return value
}
