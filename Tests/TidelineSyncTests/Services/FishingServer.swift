// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HummingbirdTesting
import Logging
import Tideline
import TidelineAccounts
import TidelineModel
import TidelineSQLite
import TidelineService
import TidelineStorage

@testable import TidelineServer

@Entity("FishingSpots")
struct FishingSpot: Equatable {
    @Key(generated: true) var id: Int32
    @MaxLength(80) var name: String
    @Range(-90.0...90.0) var lat: Double
    @Range(-180.0...180.0) var lng: Double
    var isPublicSpot: Bool = false
    var comments: String = ""
    var ownerId: Int32 = 42
}

/// The server itself with the domain of the fishing app, empty but for ann and bob, on a port of this machine.
final class FishingServer: Sendable {
    let folder: String
    private let accounts: Accounts
    private let server: Server

    init() throws {
        folder = NSTemporaryDirectory() + "tideline-fishing-\(UUID().uuidString)"
        let data = DataDirectory(path: folder + "/data")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try data.create()
        try SQLiteSchema.create(ControlModel.model, path: data.control)
        accounts = Accounts(
            store: try SQLiteStore(path: data.control, model: ControlModel.model, options: .untracked),
            cost: PasswordCost(rounds: 16, blockSize: 1, parallelism: 1)
        )
        let path = data.folder(domain: "fishing") + "/data.sqlite"
        try DataDirectory.makeFolder(data.folder(domain: "fishing"))
        let users = "INSERT INTO Users VALUES (42, 'Ann', NULL), (43, 'Bob', NULL);\n"
        try SQLiteScript.run(FishingSchema.tables + users, path: path)
        try SQLitePublisher.publish(path: path, namespace: "Fishing") { found in
            var model = found.model
            FishingSchema.complete(&model)
            let domain = Domain(name: "fishing", database: .init(path: "data.sqlite"), model: model)
            let base = domain.yaml.replacing("policies: []\n", with: "")
            try Domain(yaml: base + FishingSchema.policies).write(to: data.file(domain: "fishing"))
        }
        for (name, id) in [("ann", 42), ("bob", 43)] {
            try accounts.addUser(
                name,
                password: "correct horse",
                domain: "fishing",
                id: .integer(Int64(id)),
                roles: ["member"]
            )
        }
        server = try Server(
            settings: ServerSettings(port: 0, cores: 2),
            data: data,
            accounts: accounts,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        ) { domain, folder in
            try SQLiteStore(path: folder + "/" + domain.database.path, model: domain.model)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Serves on a port while `body` runs.
    func run(_ body: @escaping @Sendable (_ port: Int) async throws -> Void) async throws {
        try await server.application().test(.live) { client in try await body(client.port ?? 0) }
    }

    /// A token of ann's.
    func token() throws -> String {
        try accounts.signIn("ann", password: "correct horse", domain: "fishing").accessToken
    }

    /// The services of ann's app.
    func open(_ kind: FishingServices, port: Int) async throws -> EntityServices {
        let token = try token()
        return try await EntityServices(
            kind.configuration(port: port, folder: folder),
            entities: [FishingSpot.self],
            options: Device.options,
            userFolder: folder + "/user"
        ) {
            kind == .fishing
                ? Credentials(user: "42", password: token) : Credentials(user: "ann", password: "correct horse")
        }
    }
}

/// The five places where an app's spots are kept.
enum FishingServices: String, CaseIterable {
    case remote, local, synced, memory, fishing

    func configuration(port: Int, folder: String) -> ServiceConfiguration {
        let service = "http://127.0.0.1:\(port)/odata/fishing/"
        return switch self {
        case .remote: .remote(service: service)
        case .local: .local(path: folder + "/app.tideline")
        case .synced: .synced(service: service, path: folder + "/app.tideline")
        case .memory: .memory
        case .fishing: .fishing(service: "http://127.0.0.1:\(port)/services/")
        }
    }
}
