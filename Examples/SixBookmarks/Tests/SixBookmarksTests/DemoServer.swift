// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineTestSupport

/// `tideline serve --demo` in a process of its own, on a free port with new data; it ends with the test.
final class DemoServer {
    /// The address of the domain `sixbookmarks`.
    let service: String
    /// A folder for the files of the test.
    let folder: URL
    private let process: Process

    /// The program, which script/test names in TIDELINE_BINARY; without it these tests are skipped.
    static let binary = ProcessInfo.processInfo.environment["TIDELINE_BINARY"]

    struct DidNotStart: Error {}

    /// - Parameter isPostgres: whether the domain lies in a database of PostgreSQL, published by the tool, with ada alone.
    init(binary: String, isPostgres: Bool = false) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "sixbookmarks-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let data = folder.appending(path: "data").path
        if isPostgres { try PostgresBookmarks.publish(binary, data: data, folder: folder) }
        process = Process()
        process.executableURL = URL(fileURLWithPath: binary)
        process.arguments = ["serve", "--port", "0", "--data", data] + (isPostgres ? [] : ["--demo"])
        process.standardError = FileHandle.nullDevice
        let output = try process.begin { [process] in
            let output = Pipe()
            process.standardOutput = output
            return output
        }
        // The first line says where it listens.
        var text = ""
        while !text.contains("\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw DidNotStart() }
            text += String(decoding: data, as: UTF8.self)
        }
        guard let start = text.range(of: "http://") else { throw DidNotStart() }
        let address = text[start.lowerBound...].prefix { !$0.isWhitespace }
        service = (address.hasSuffix("/") ? address.dropLast() : address) + "/odata/sixbookmarks/"
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }
}
