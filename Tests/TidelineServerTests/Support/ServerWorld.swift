// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import TidelineAccounts
import TidelineModel
import TidelineSQLite
import TidelineStorage
import TidelineService
import TidelineTestSupport

@testable import TidelineServer

/// A server over a data folder of its own, with the open domain `shop` and the domain `club` for signed-in users.
final class ServerWorld: Sendable {
    let data: DataDirectory
    let accounts: Accounts
    let server: Server
    let log: LogRecorder

    /// - Parameters:
    ///   - notes: the rows of `Notes` in each domain.
    ///   - noteLength: the length of each note's text.
    init(
        notes: Int = 3,
        noteLength: Int = 10,
        tls: ServerSettings.TLS? = nil,
        takesBasic: Bool = false,
        bodyTimeout: Duration = .seconds(120),
        answerTimeout: Duration = .seconds(120),
        answerMemoryInBytes: Int = 64 << 20,
        events: EventSettings = EventSettings()
    ) throws {
        data = DataDirectory(path: ProcessFolder.path + "/server-\(UUID().uuidString)")
        try data.create()
        try SQLiteSchema.create(ControlModel.model, path: data.control)
        accounts = Accounts(
            store: try SQLiteStore(path: data.control, model: ControlModel.model, options: .untracked),
            cost: PasswordCost(rounds: 16, blockSize: 1, parallelism: 1)
        )
        let log = LogRecorder()
        self.log = log
        try Self.publish("shop", data, notes: notes, noteLength: noteLength, isOpen: true)
        try Self.publish("club", data, notes: notes, noteLength: noteLength, isOpen: false)
        try accounts.addUser("ada", password: "correct horse", domain: "club", id: .integer(1), roles: ["member"])
        server = try Server(
            settings: ServerSettings(
                port: 0,
                tls: tls,
                takesBasic: takesBasic,
                cores: 2,
                bodyTimeout: bodyTimeout,
                answerTimeout: answerTimeout,
                answerMemoryInBytes: answerMemoryInBytes,
                events: events
            ),
            data: data,
            accounts: accounts,
            logger: Logger(label: "test", factory: { _ in LogRecorder.Handler(recorder: log) })
        ) { domain, folder in
            try SQLiteStore(path: folder + "/" + domain.database.path, model: domain.model)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: data.path) }

    /// What serves a domain, outside the server.
    func loaded(_ domain: String, pool: WorkerPool) throws -> LoadedDomain {
        let commits = CommitHint()
        let logger = Logger(label: "test", factory: { [log] _ in LogRecorder.Handler(recorder: log) })
        let domain = try Domain(contentsOf: data.file(domain: domain))
        let folder = data.folder(domain: domain.name)
        let store = try SQLiteStore(path: folder + "/" + domain.database.path, model: domain.model)
        let service = try ODataService(
            domain: domain,
            store: ObservedStore(base: store, hint: commits),
            signingKey: Array(repeating: 7, count: 32),
            files: MediaFiles(folder: folder + "/files")
        )
        let events = DomainEvents(service: service, commits: commits, store: store, pool: pool, logger: logger)
        return LoadedDomain(domain: domain, service: service, events: events)
    }

    /// Publishes a database with the one table `Notes`; every second note belongs to user 1.
    ///
    /// - Parameter columns: further columns in SQL, each behind a comma.
    static func publish(
        _ name: String,
        _ data: DataDirectory,
        columns: String = "",
        notes: Int = 3,
        noteLength: Int = 10,
        isOpen: Bool
    ) throws {
        let folder = data.folder(domain: name)
        try DataDirectory.makeFolder(folder)
        let path = folder + "/data.sqlite"
        let own = "Id INTEGER PRIMARY KEY, OwnerId INT NOT NULL, Body TEXT NOT NULL"
        var sql = "CREATE TABLE Notes (\(own)\(columns));\n"
        let text = String(repeating: "x", count: noteLength)
        for note in 0..<notes {
            sql += "INSERT INTO Notes (Id, OwnerId, Body) VALUES (\(note + 1), \(note % 2 + 1), '\(text)');\n"
        }
        try SQLiteScript.run(sql, path: path)
        let policies =
            isOpen
            ? [] : [Policy(role: "*", sets: nil, operations: Policy.Operation.allCases, where: "OwnerId eq @me")]
        try SQLitePublisher.publish(path: path, namespace: "Test") { found in
            try Domain(
                name: name,
                database: .init(path: "data.sqlite"),
                isOpen: isOpen,
                model: found.model,
                policies: policies
            ).write(to: data.file(domain: name))
        }
    }
}
