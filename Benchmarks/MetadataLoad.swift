// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineModel
import TidelineOData

/// A large metadata document of another maker read into a model, beside the limit of one second.
///
/// The document is `msgraph/v1.0-Prod.csdl.gz` of the shared data: `TIDELINE_SHARED`, or `../shared`.
enum MetadataLoad {
    static func measure(rows: Int, folder: URL) async throws -> [Figure] {
        // The size of the document is what it is.
        guard rows <= 10_000, let document = try document() else { return [] }
        var sets = 0
        let seconds = try Measuring.seconds { sets = try CSDLXML.readTolerantly(document).model.sets.count }
        return [
            Figure(
                what: "read \(document.count / 1024) KiB of CSDL XML, \(sets) sets",
                rows: rows,
                seconds: seconds,
                limitName: "limit",
                limitSeconds: 1,
                isRate: false,
                bound: 1
            )
        ]
    }

    /// The document, unpacked, or `nil` where the data is not at hand.
    private static func document() throws -> [UInt8]? {
        let shared = ProcessInfo.processInfo.environment["TIDELINE_SHARED"] ?? "../shared"
        let file = URL(filePath: shared).appending(path: "data/msgraph/v1.0-Prod.csdl.gz")
        guard FileManager.default.fileExists(atPath: file.path) else {
            print("  the document is not at hand (TIDELINE_SHARED)")
            return nil
        }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gunzip", "-c", file.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Array(data)
    }
}
