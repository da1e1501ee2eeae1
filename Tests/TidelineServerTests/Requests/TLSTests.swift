// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing
import TidelineServer
import TidelineTestSupport

struct TLSTests {
    private static let openssl = ["/usr/bin/openssl", "/opt/homebrew/bin/openssl", "/usr/local/bin/openssl"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    @Test(.enabled(if: TLSTests.openssl != nil, "openssl is not installed"))
    func `over TLS data, sign-in and links are served`() async throws {
        let folder = ProcessFolder.path + "/tls-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let process = Process()
        process.executableURL = URL(filePath: try #require(Self.openssl))
        process.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-keyout", "\(folder)/key.pem", "-out", "\(folder)/cert.pem",
        ]
        process.standardError = FileHandle.nullDevice
        try process.begin()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let world = try ServerWorld(
            tls: .init(certificatePath: "\(folder)/cert.pem", keyPath: "\(folder)/key.pem")
        )
        try await world.server.application().test(.ahc(.https)) { client in
            #expect(try await client.signIn().status == .ok)
            let notes = try await client.get("/odata/shop/Notes?$top=1")
            #expect((notes.json["@odata.context"] as? String)?.hasPrefix("https://localhost:") == true)
            #expect(try await client.get("/").text.contains("https://localhost:"))
        }
    }

    @Test func `a certificate that is none is named`() throws {
        let world = try ServerWorld(tls: .init(certificatePath: "/nowhere/cert.pem", keyPath: "/nowhere/key.pem"))
        let error = #expect(throws: ServerError.self) { try world.server.application() }
        #expect(error?.code == .certificate)
        #expect(error?.message.contains("/nowhere/cert.pem") == true)
    }
}
