// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Metadata documents in JSON.
///
/// Source: OData CSDL JSON Representation 4.01.
public enum CSDLJSON {
    /// The document for a model.
    public static func write(_ model: EntityModel, options: CSDLOptions = CSDLOptions()) -> [UInt8] {
        CSDLJSONWriter(schema: Schema(describing: model), options: options).document()
    }

    /// The model that a document describes; its database names are its wire names.
    ///
    /// - Throws: ``ODataError`` with `invalidMetadata` when the document describes no model that can be used, or the error of
    ///   its JSON.
    public static func read(_ document: [UInt8]) throws(ODataError) -> EntityModel {
        try CSDLJSONReader.schema(of: document).model()
    }
}
