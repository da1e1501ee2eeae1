// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The published test data, where it is at hand: `TIDELINE_SHARED`, or `../shared` beside the package.
enum SharedData {
    /// The folder, or `nil`.
    static let folder: URL? = {
        let given = ProcessInfo.processInfo.environment["TIDELINE_SHARED"].map { URL(filePath: $0) }
        let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        for folder in [given, package.appending(path: "../shared"), URL(filePath: "../shared")] {
            guard let folder else { continue }
            let data = folder.appending(path: "data").standardizedFileURL
            if FileManager.default.fileExists(atPath: data.appending(path: "csdl-schemas").path) { return data }
        }
        return nil
    }()

    /// The bytes of a file of the data.
    static func bytes(_ path: String) throws -> [UInt8] {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        return Array(try Data(contentsOf: folder.appending(path: path)))
    }

    /// The names, without their endings, of the files of a folder with one ending, in order.
    static func names(in path: String, ending: String) -> [String] {
        guard let folder else { return [] }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: path).path)) ?? []
        return files.filter { $0.hasSuffix(ending) }.map { "\(path)/\($0.dropLast(ending.count))" }.sorted()
    }
}
