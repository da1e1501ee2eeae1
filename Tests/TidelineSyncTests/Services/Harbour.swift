// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import Tideline
import TidelineClient

@Entity("Harbours")
struct Harbour: Equatable {
    @Key var code: String
    @MaxLength(80) var name: String
    var depth: Double?
}

@Entity("Spots")
struct Spot: Equatable {
    @Key(generated: true) var id: Int64
    var name: String
    @Unique var mark: String
    @Precision(10, scale: 2) var fee: EdmDecimal = 0
    var isPublic: Bool = false
    var seen: DateTimeOffset?
    var comments: String?
    @Reference("Harbour", to: Harbour.self, onDelete: .cascade) var harbourCode: String
}

/// A service over SQLite with the tables of ``Harbour`` and ``Spot``, and the services of the app in each configuration.
enum HarbourServices: String, CaseIterable, CustomTestStringConvertible {
    case remote, local, synced, memory

    var testDescription: String { rawValue }

    static let schema = """
        CREATE TABLE Harbours (Code TEXT NOT NULL PRIMARY KEY, Name VARCHAR(80) NOT NULL, Depth REAL);
        CREATE TABLE Spots (
            Id INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT NOT NULL, Mark TEXT NOT NULL UNIQUE,
            Fee DECIMAL(10,2) NOT NULL DEFAULT 0, IsPublic BOOLEAN NOT NULL DEFAULT 0, Seen DATETIME, Comments TEXT,
            HarbourCode TEXT NOT NULL REFERENCES Harbours(Code) ON DELETE CASCADE);
        """

    /// The one value that chooses.
    func configuration(in folder: String) -> ServiceConfiguration {
        let service = "http://127.0.0.1/odata/test/"
        return switch self {
        case .remote: .remote(service: service)
        case .local: .local(path: folder + "/app.tideline")
        case .synced: .synced(service: service, path: folder + "/app.tideline")
        case .memory: .memory
        }
    }

    func open(_ world: World, transport: (any Transport)? = nil) async throws -> EntityServices {
        try await EntityServices(
            configuration(in: world.folder),
            entities: [Harbour.self, Spot.self],
            transport: transport ?? ServiceTransport(world.service),
            options: Device.options,
            userFolder: world.folder + "/user"
        )
    }
}
