// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import NIOCore
import TidelineAccounts
import TidelineModel
import TidelineSQLite
import TidelineService
import TidelineStorage
import TidelineTestSupport

@testable import TidelineServer

/// A server with the domain `fishing`: ann, bob, and a public and a private spot of each.
final class FishingWorld: Sendable {
    let data: DataDirectory
    let accounts: Accounts
    let server: Server
    let log = LogRecorder()

    static let spots = """
        INSERT INTO Users VALUES (42, 'Ann', 'https://example.org/a.png'), (43, 'Bob', NULL);
        INSERT INTO FishingSpots (Id, Name, Lat, Lng, IsPublicSpot, Comments, OwnerId) VALUES
            (7, 'Old pier', 59.9139, 10.7522, 1, 'early', 42), (8, 'Secret', 59.5, 10.25, 0, '', 42),
            (9, 'Quay', 60, 11, 1, NULL, 43), (10, 'Hidden', 61, 12, 0, NULL, 43);
        """

    /// - Parameters:
    ///   - sql: the rows.
    ///   - hasDoor: whether the domain turns the door on.
    ///   - pictureBytes: the most bytes of a picture.
    init(sql: String = FishingWorld.spots, hasDoor: Bool = true, pictureBytes: Int? = nil) throws {
        data = DataDirectory(path: ProcessFolder.path + "/fishing-\(UUID().uuidString)")
        try data.create()
        try SQLiteSchema.create(ControlModel.model, path: data.control)
        accounts = Accounts(
            store: try SQLiteStore(path: data.control, model: ControlModel.model, options: .untracked),
            cost: PasswordCost(rounds: 16, blockSize: 1, parallelism: 1)
        )
        let file = data.file(domain: "fishing")
        let folder = data.folder(domain: "fishing")
        try DataDirectory.makeFolder(folder)
        try SQLiteScript.run(FishingSchema.tables + sql, path: folder + "/data.sqlite")
        try SQLitePublisher.publish(path: folder + "/data.sqlite", namespace: "Fishing") { found in
            var model = found.model
            FishingSchema.complete(&model)
            let domain = Domain(name: "fishing", database: .init(path: "data.sqlite"), model: model)
            let base = domain.yaml.replacing("policies: []\n", with: "")
            var whole = try Domain(yaml: base + FishingSchema.policies)
            if !hasDoor { whole.fishing = nil }
            if let pictureBytes { whole.fishing?.pictureBytes = pictureBytes }
            try whole.write(to: file)
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
            logger: Logger(label: "test", factory: { [log] _ in LogRecorder.Handler(recorder: log) })
        ) { domain, folder in
            try SQLiteStore(path: folder + "/" + domain.database.path, model: domain.model)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: data.path) }

    /// The access token of a user.
    func token(_ name: String) throws -> String {
        try accounts.signIn(name, password: "correct horse", domain: "fishing", device: nil).accessToken
    }
}

/// A client of the fishing app, written from the page alone: `action`, `userid` and `token` stand in the query.
struct FishingClient {
    let client: any TestClientProtocol
    let user: String
    let token: String

    /// Encodes what the page says is encoded, and all that is no ASCII.
    static func encode(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = byte.isLetterOrDigit || byte == 0x2D || byte == 0x2E || byte == 0x5F || byte == 0x7E
            return isPlain
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    func send(_ action: String, _ more: String = "") async throws -> TestResponse {
        try await client.get("/services/locations.php?action=\(action)&userid=\(user)&token=\(token)\(more)")
    }

    func spot(_ id: Int, _ name: String, lat: String, lng: String, isPublic: Bool, _ comments: String) -> String {
        "&id=\(id)&name=\(Self.encode(name))&author=\(user)&lat=\(lat)&lng=\(lng)"
            + "&is_public_spot=\(isPublic ? 1 : 0)&comments=\(Self.encode(comments))"
    }

    /// Sends a catch with a picture.
    func send(catch fields: [(String, String)], picture: [UInt8]?, type: String = "image/jpeg") async throws
        -> TestResponse
    {
        let boundary = "------------------------0x7e8a1f"
        var body: [UInt8] = []
        for (name, value) in [("action", "create"), ("userid", user), ("token", token)] + fields {
            body += Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
        }
        if let picture {
            let head = "Content-Disposition: form-data; name=\"picture\"; filename=\"cod.jpg\"\r\nContent-Type: \(type)"
            body += Array("--\(boundary)\r\n\(head)\r\n\r\n".utf8) + picture + Array("\r\n".utf8)
        }
        body += Array("--\(boundary)--\r\n".utf8)
        return try await client.execute(
            uri: "/services/catches.php",
            method: .post,
            headers: [.contentType: "multipart/form-data; boundary=\(boundary)"],
            body: ByteBuffer(bytes: body)
        )
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}
