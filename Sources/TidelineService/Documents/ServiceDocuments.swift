// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// What a service tells of itself to those who may use the same sets: its metadata and its OpenAPI document.
struct ServiceDocuments: Sendable {
    /// The model with the sets that they may use.
    let model: EntityModel
    let metadataXML: [UInt8]
    let metadataJSON: [UInt8]
    /// The OpenAPI document, in JSON.
    let openAPI: [UInt8]
    /// The versions, for clients that keep the documents.
    let etags: (xml: ETag, json: ETag, openAPI: ETag)

    init(_ model: EntityModel, options: OpenAPIDocument.Options) {
        self.model = model
        metadataXML = CSDLXML.write(model, capabilities: options.capabilities)
        metadataJSON = CSDLJSON.write(model, capabilities: options.capabilities)
        openAPI = OpenAPIDocument.write(model, options: options)
        etags = (xml: ETag(of: metadataXML), json: ETag(of: metadataJSON), openAPI: ETag(of: openAPI))
    }
}
