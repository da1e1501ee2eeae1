// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import TidelineAccounts
import TidelineModel
import TidelineSQLite
import TidelineServer
import TidelineService
import TidelineStorage

/// The server in this process, on a free port of loopback.
enum LoopbackServer {
    /// Of every user.
    static let password = "four plain words here"

    /// Serves one domain while `body` runs.
    ///
    /// - Parameters:
    ///   - users: of the domain, whose passwords are ``password``.
    ///   - body: takes the server's address, with a slash at the end.
    static func running<Result>(
        _ domain: Domain,
        folder: URL,
        users: [(name: String, id: Value)] = [],
        openStore: @escaping @Sendable (Domain, String) throws -> any Store,
        _ body: (String) async throws -> Result
    ) async throws -> Result {
        let data = DataDirectory(path: folder.appending(path: "data-\(UUID())").path)
        try data.create()
        try DataDirectory.makeFolder(data.folder(domain: domain.name))
        try domain.write(to: data.file(domain: domain.name))
        try SQLiteSchema.create(ControlModel.model, path: data.control)
        let accounts = Accounts(
            store: try SQLiteStore(path: data.control, model: ControlModel.model, options: .untracked)
        )
        for user in users {
            try accounts.addUser(user.name, password: password, domain: domain.name, id: user.id)
        }
        var logger = Logger(label: "bench")
        logger.logLevel = .critical
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let server = try Server(
            settings: ServerSettings(port: 0, cores: cores),
            data: data,
            accounts: accounts,
            logger: logger,
            openStore: openStore
        )
        let (addresses, listening) = AsyncStream.makeStream(of: String.self)
        let running = Task { try await server.run { listening.yield($0) } }
        defer { running.cancel() }
        guard let address = await addresses.first(where: { _ in true }) else { throw WholeSet.Failed(status: 0) }
        return try await body(address)
    }
}
