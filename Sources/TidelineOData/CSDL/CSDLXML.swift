// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Metadata documents in XML.
///
/// Source: OData CSDL XML Representation 4.01.
public enum CSDLXML {
    /// The document for a model.
    ///
    /// - Parameter annotations: which annotations it has; all for `nil`.
    public static func write(
        _ model: EntityModel,
        capabilities: ServiceCapabilities = ServiceCapabilities(),
        annotations: AnnotationChoice? = nil
    ) -> [UInt8] {
        let document = CSDLDocument(describing: model, capabilities: capabilities).keeping(annotations)
        return CSDLXMLWriter(document: document.addressed(ending: ".xml")).bytes()
    }

    /// The model that a document describes; its database names are its wire names.
    ///
    /// - Throws: ``ODataError/Code/invalidMetadata`` when the text is not well-formed XML without a DTD, or describes no
    ///   model that can be used.
    public static func read(_ document: [UInt8]) throws(ODataError) -> EntityModel {
        try readTolerantly(document).model
    }

    /// The model that a document describes, and what of the document it leaves out.
    ///
    /// - Throws: as ``read(_:)``.
    public static func readTolerantly(_ document: [UInt8]) throws(ODataError) -> (
        model: EntityModel, warnings: [String]
    ) {
        let (document, warnings) = try CSDLXMLReader.read(document)
        return try document.model(after: warnings)
    }

    /// The same document in JSON.
    ///
    /// - Throws: ``ODataError/Code/invalidMetadata`` when the text is not CSDL.
    public static func json(_ document: [UInt8]) throws(ODataError) -> [UInt8] {
        CSDLJSONWriter(document: try CSDLXMLReader.read(document).document).bytes()
    }
}
