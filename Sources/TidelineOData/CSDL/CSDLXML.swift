// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// `$metadata` in CSDL XML.
public enum CSDLXML {
    /// The document for a model.
    public static func write(_ model: EntityModel, options: CSDLOptions = CSDLOptions()) -> [UInt8] { [] }

    /// The model that a document describes; its database names are its wire names.
    public static func read(_ document: [UInt8]) throws(ODataError) -> EntityModel {
        throw ODataError(.invalidMetadata, "")
    }
}
