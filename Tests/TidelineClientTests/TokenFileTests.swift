// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineClient

/// The file that holds a refresh token.
struct TokenFileTests {
    let folder = NSTemporaryDirectory() + "tideline-tokens-\(UUID().uuidString)"

    @Test func `its owner alone can read the file and its folder`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = TokenFile(client: "0a1b", folder: folder)
        let tokens = StoredTokens(origin: "https://example.org", user: "ann", refreshToken: "secret")
        try file.save(tokens)
        #expect(file.path == folder + "/tokens/0a1b.json")
        #expect(try mode(file.path) == 0o600)
        #expect(try mode(folder + "/tokens") == 0o700)
        #expect(try file.load() == tokens)
    }

    @Test func `a save takes the place of the one before and leaves nothing beside it`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = TokenFile(client: "0a1b", folder: folder)
        try file.save(StoredTokens(origin: "o", user: "ann", refreshToken: "1"))
        try file.save(StoredTokens(origin: "o", user: "ann", refreshToken: "2"))
        #expect(try file.load()?.refreshToken == "2")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/tokens") == ["0a1b.json"])
        try file.remove()
        #expect(try file.load() == nil)
        try file.remove()
    }

    @Test func `a damaged file is named`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = TokenFile(client: "0a1b", folder: folder)
        try file.save(StoredTokens(origin: "o", user: "ann", refreshToken: "1"))
        try Data("{".utf8).write(to: URL(fileURLWithPath: file.path))
        #expect { try file.load() } throws: { ($0 as? ClientError)?.code == .file }
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? Int ?? 0) & 0o777
    }
}
