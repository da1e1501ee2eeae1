// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// What a client needs to know of a service: the metadata document, in XML or in JSON, as far as the model has a place.
///
/// Source: OData CSDL XML and CSDL JSON Representation 4.01; vocabulary Core V1, `ODataVersions`.
public struct ServiceMetadata: Sendable {
    /// The model; its database names are its wire names.
    public var model: EntityModel
    /// What of the document the model leaves out.
    public var warnings: [String]
    /// The versions that the service says it takes, in the order written; empty when it says nothing.
    public var versions: [String]

    /// Reads a document; its first character tells the format.
    ///
    /// - Throws: ``ODataError`` with `invalidMetadata` when the document describes no model that can be used, or the error
    ///   of its XML or JSON.
    public init(_ document: [UInt8]) throws(ODataError) {
        let isJSON = document.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D } == UInt8(ascii: "{")
        let read = isJSON ? try CSDLJSONReader.read(document) : try CSDLXMLReader.read(document)
        (model, warnings) = try read.document.model(after: read.warnings)
        versions = read.document.versions
    }

    /// The version of the payloads that the service takes: 4.01 only where it says so.
    ///
    /// Source: OData Protocol 4.01, section 13.3, item 16.
    public var payloadVersion: ODataVersion {
        versions.contains { version in
            let parts = version.split(separator: ".").compactMap { Int($0) }
            return parts.count == 2 && (parts[0] > 4 || parts[0] == 4 && parts[1] >= 1)
        } ? .v401 : .v40
    }
}

extension CSDLDocument {
    /// What `Core.ODataVersions` lists at the container.
    fileprivate var versions: [String] {
        guard let (schema, container) = container else { return [] }
        let lookup = TypeLookup(self)
        let annotations = lookup.annotations(container.annotations, of: "\(schema.namespace).\(container.name)")
        let text = annotations.last { $0.isTerm(.core, "ODataVersions") }?.value?.text ?? ""
        return text.split { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }.map(String.init)
    }
}
