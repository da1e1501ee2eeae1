// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Synchronization
import Testing
import TidelineClient
import TidelineTestSupport

/// The file that holds a refresh token.
struct SecretTests {
    let folder = NSTemporaryDirectory() + "tideline-tokens-\(UUID().uuidString)"

    private func storage(_ client: String) -> TokenStorage {
        TokenStorage(client: client, in: SecretFolder(path: folder + "/tokens"))
    }

    @Test func `its owner alone can read the file and its folder`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = storage("0a1b")
        let tokens = StoredTokens(origin: "https://example.org", user: "ann", refreshToken: "secret")
        try file.save(tokens)
        #expect(try mode(folder + "/tokens/0a1b") == 0o600)
        #expect(try mode(folder + "/tokens") == 0o700)
        #expect(try file.load() == tokens)
    }

    @Test func `a save takes the place of the one before and leaves nothing beside it`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = storage("0a1b")
        try file.save(StoredTokens(origin: "o", user: "ann", refreshToken: "1"))
        try file.save(StoredTokens(origin: "o", user: "ann", refreshToken: "2"))
        #expect(try file.load()?.refreshToken == "2")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/tokens") == ["0a1b"])
        try file.remove()
        #expect(try file.load() == nil)
        try file.remove()
    }

    @Test func `a sign-in that another process keeps, spoils or takes away is read anew`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (mine, other) = (storage("0a1b"), storage("0a1b"))
        try mine.save(StoredTokens(origin: "o", user: "ann", refreshToken: "1"))
        #expect(try mine.load()?.user == "ann")
        try other.save(StoredTokens(origin: "o", user: "bob", refreshToken: "2"))
        #expect(try mine.load() == StoredTokens(origin: "o", user: "bob", refreshToken: "2"))
        try Data("{".utf8).write(to: URL(fileURLWithPath: folder + "/tokens/0a1b"))
        #expect { try mine.load() } throws: { ($0 as? ClientError)?.code == .file }
        try other.remove()
        #expect(try mine.load() == nil)
    }

    @Test func `a damaged file is named`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = storage("0a1b")
        try file.save(StoredTokens(origin: "o", user: "ann", refreshToken: "1"))
        try Data("{".utf8).write(to: URL(fileURLWithPath: folder + "/tokens/0a1b"))
        #expect { try file.load() } throws: { ($0 as? ClientError)?.code == .file }
    }

    @Test func `both places for secrets keep bytes, replace them and forget them`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let stores: [any SecretStore] = [SecretFolder(path: folder + "/secrets"), MemorySecrets()]
        for store in stores {
            #expect(try store.secret("a-1") == nil)
            try store.keep([0, 255, 10], as: "a-1")
            try store.keep([7], as: "b")
            #expect(try store.secret("a-1") == [0, 255, 10])
            try store.keep([1], as: "a-1")
            #expect(try store.secret("a-1") == [1])
            try store.remove("a-1")
            try store.remove("a-1")
            #expect(try store.secret("a-1") == nil)
            #expect(try store.secret("b") == [7])
        }
        #expect { try SecretFolder(path: folder).keep([1], as: "../x") } throws: { ($0 as? ClientError)?.code == .file }
    }

    @Test(.covers("DA-77"))
    func `nothing that is kept of a sign-in is the password`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try storage("c").save(StoredTokens(origin: "o", user: "ann", refreshToken: "r"))
        let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/tokens/c"))
        #expect(String(decoding: data, as: UTF8.self) == #"{"origin":"o","refreshToken":"r","user":"ann"}"#)
    }

    /// Each run is a session of its own, as after a restart, and sends three requests.
    @Test(.covers("MD-I72"))
    func `kept nowhere a sign-in is asked for in each run, kept in a file in the first alone`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let service = TokenService()
        let transport = ScriptedTransport { try await service.respond($0, $1) }
        let address = try ServiceAddress("http://127.0.0.1:8080/odata/shop/")
        let asked = Mutex(0)
        func run(_ tokens: TokenStorage) async throws -> [Int] {
            let session = Session(address: address, transport: transport, tokens: tokens) { _ in
                asked.withLock { $0 += 1 }
                return Credentials(user: "ann", password: "secret")
            }
            let request = HTTPRequest(
                method: .get,
                scheme: "http",
                authority: "127.0.0.1:8080",
                path: "/odata/shop/Orders"
            )
            var statuses: [Int] = []
            for _ in 0..<3 { statuses.append(try await session.send(request).head.status.code) }
            return statuses
        }
        for times in 1...2 {
            let statuses = try await run(.memory())
            #expect(statuses == [200, 200, 200])
            #expect(asked.withLock(\.self) == times)
        }
        #expect(!FileManager.default.fileExists(atPath: folder))
        // Each renewal brings another token: the second run replaces the file of the first.
        for token in ["refresh-s3", "refresh-r1"] {
            let statuses = try await run(storage("0a1b"))
            #expect(statuses == [200, 200, 200])
            #expect(asked.withLock(\.self) == 3)
            let kept = try storage("0a1b").load()
            #expect(kept == StoredTokens(origin: "http://127.0.0.1:8080", user: "ann", refreshToken: token))
            #expect(try mode(folder + "/tokens/0a1b") == 0o600)
        }
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? Int ?? 0) & 0o777
    }
}
