// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineTestSupport
@testable import TidelineServer

struct SettingsTests {
    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.3.4", true), ("::1", true), ("localhost", true), ("::ffff:127.0.0.1", true),
        ("0.0.0.0", false), ("128.0.0.1", false), ("127.0.0.1.evil.org", false), ("127.1", false), ("::", false),
        ("10.0.0.1", false), ("", false), ("::ffff:10.0.0.1", false), ("127.0.0.256", false),
    ])
    func `loopback addresses are told from others`(address: String, isLoopback: Bool) {
        #expect(Loopback.contains(address) == isLoopback)
    }

    @Test func `the signing key is made once, for its owner alone`() throws {
        let data = DataDirectory(path: ProcessFolder.path + "/key-\(UUID().uuidString)/deep/")
        defer { try? FileManager.default.removeItem(atPath: data.path) }
        try data.create()
        let key = try SigningKey.load(from: data.signingKey)
        #expect(key.count == 32)
        #expect(try SigningKey.load(from: data.signingKey) == key)
        let mode = try FileManager.default.attributesOfItem(atPath: data.signingKey)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let folder = try FileManager.default.attributesOfItem(atPath: data.path + "/keys")[.posixPermissions] as? Int
        #expect(folder == 0o700)
        try Data([1, 2]).write(to: URL(filePath: data.signingKey))
        #expect(throws: ServerError.self) { try SigningKey.load(from: data.signingKey) }
    }

    @Test func `a file in the place of the data folder is refused`() throws {
        let path = ProcessFolder.path + "/file-\(UUID().uuidString)"
        try Data().write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(throws: ServerError.self) { try DataDirectory(path: path).create() }
    }

    @Test(
        arguments: [
            (0, "1970-01-01 00:00 UTC"), (951_827_696, "2000-02-29 12:34 UTC"), (1_795_267_860, "2026-11-21 13:31 UTC"),
            (-1, "1969-12-31 23:59 UTC"),
        ] as [(Int64, String)]
    )
    func `moments are written in UTC`(seconds: Int64, text: String) {
        #expect(UTCText.minute(seconds) == text)
    }

    @Test(arguments: [(0, "0 s"), (59, "59 s"), (61, "1 min"), (3_700, "1 h 1 min"), (90_000, "1 d 1 h")])
    func `durations are written as people say them`(seconds: Int, text: String) {
        #expect(RootPage.text(.seconds(seconds)) == text)
    }
}
