// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Testing

@testable import TidelineOData

/// Payloads of v2 that another maker's library is tested with, where they are at hand.
struct SampleTests {
    private static let folder: URL? = {
        let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../shared")
        for root in [package, URL(filePath: "../shared")] {
            let folder = root.appending(path: "data/olingo2/odata-core")
            if FileManager.default.fileExists(atPath: folder.path) { return folder }
        }
        return nil
    }()

    private func files(_ ending: String) throws -> [URL] {
        guard let folder = Self.folder else { return [] }
        let all = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return all.filter { $0.pathExtension == ending }
    }

    @Test(.enabled(if: SampleTests.folder != nil, "The samples are not beside the package."))
    func `every sample of Atom is read, and none with a DTD`() throws {
        for file in try files("xml") {
            let bytes = Array(try Data(contentsOf: file))
            let hasDTD = String(decoding: bytes, as: UTF8.self).contains("<!DOCTYPE")
            let tree = try? XMLTree.read(bytes)
            #expect((tree == nil) == hasDTD, "\(file.lastPathComponent)")
        }
    }

    @Test(.enabled(if: SampleTests.folder != nil, "The samples are not beside the package."))
    func `every request of a sample batch is read`() throws {
        for (name, methods) in [
            ("batchContentIdReferencing.batch", nil), ("batchWithPost.batch", [HTTPRequest.Method.get, .put, .get]),
            ("batchContentIdReferencingForGet.batch", nil),
        ] as [(String, [HTTPRequest.Method]?)] {
            guard let file = try files("batch").first(where: { $0.lastPathComponent == name }) else { continue }
            let bytes = Array(try Data(contentsOf: file))
            let boundary = String(decoding: bytes.drop { $0 == 0x2D }.prefix { $0 > 0x20 }, as: UTF8.self)
            let items = try BatchRequestReader.read(bytes, contentType: "multipart/mixed; boundary=\(boundary)").items
            #expect(!items.isEmpty, "\(name)")
            if let methods { #expect(items.map(\.method) == methods) }
        }
    }
}
