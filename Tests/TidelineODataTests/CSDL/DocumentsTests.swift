// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineModel

@testable import TidelineOData

/// Writes the documents of our models where `TIDELINE_DOCUMENTS` says, for the checks by other makers' schemas.
struct DocumentsTests {
    private static let folder = ProcessInfo.processInfo.environment["TIDELINE_DOCUMENTS"]

    @Test(
        .enabled(if: folder != nil, "No folder for documents is given (TIDELINE_DOCUMENTS)."),
        arguments: [("shop", CSDLTests.model), ("library", Library.model), ("clients", Samples.model)]
    )
    func `the documents of a model are written`(name: String, model: EntityModel) throws {
        let folder = URL(filePath: try #require(Self.folder))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let options = OpenAPIDocument.Options(title: name, address: "/odata/\(name)")
        let documents = [
            ("xml", CSDLXML.write(model)), ("json", CSDLJSON.write(model)),
            ("openapi.json", OpenAPIDocument.write(model, options: options)),
        ]
        for (ending, bytes) in documents {
            #expect(!bytes.isEmpty)
            try Data(bytes).write(to: folder.appending(path: "\(name).\(ending)"))
        }
    }
}
