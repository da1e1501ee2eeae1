// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// The documents that describe the service of bookmarks, and those that tell errors.
///
/// Source: MC-CSDL, version 1.0; MS-ODATA, section 2.2.3.7.
enum BookmarksDocuments {
    private static let metadataNamespace = "http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"

    /// `$metadata`.
    static func metadata(_ face: BookmarksFace) -> [UInt8] {
        var xml = XMLWriter.likeVersion2()
        let model = face.context.model
        let type = face.type
        xml.element("edmx:Edmx", [("Version", "1.0"), ("xmlns:edmx", "http://schemas.microsoft.com/ado/2007/06/edmx")])
        { xml in
            xml.element(
                "edmx:DataServices",
                [("xmlns:m", metadataNamespace), ("m:DataServiceVersion", "1.0")]
            ) { xml in
                let namespaces: [(String, String?)] = [
                    ("Namespace", model.namespace),
                    ("xmlns:d", "http://schemas.microsoft.com/ado/2007/08/dataservices"),
                    ("xmlns:m", metadataNamespace), ("xmlns", "http://schemas.microsoft.com/ado/2007/05/edm"),
                ]
                xml.element("Schema", namespaces) { xml in
                    xml.element("EntityType", [("Name", type.names.wire)]) { xml in
                        xml.element("Key", []) { xml in
                            for place in type.key {
                                xml.element("PropertyRef", [("Name", type.properties[place].names.wire)])
                            }
                        }
                        for property in type.properties {
                            guard let name = face.context.typeName(of: property) else { continue }
                            xml.element(
                                "Property",
                                [
                                    ("Name", property.names.wire), ("Type", name),
                                    ("Nullable", property.isNullable ? "true" : "false"),
                                ]
                            )
                        }
                    }
                    xml.element(
                        "EntityContainer",
                        [("Name", model.container), ("m:IsDefaultEntityContainer", "true")]
                    ) { xml in
                        xml.element(
                            "EntitySet",
                            [("Name", BookmarksFace.set), ("EntityType", "\(model.namespace).\(type.names.wire)")]
                        )
                    }
                }
            }
        }
        return xml.bytes
    }

    /// The service document.
    static func service(_ face: BookmarksFace, _ format: V2Format) -> [UInt8] {
        var context = face.context
        context.v2Root = face.asked
        return V2Documents.service([BookmarksFace.set], context, format)
    }

    /// The error document.
    static func error(_ error: ODataError, _ format: V2Format) -> [UInt8] {
        guard format == .atom else { return V2Error.write(error, format) }
        var xml = XMLWriter.likeVersion2()
        xml.element("error", [("xmlns", metadataNamespace)]) { xml in
            xml.element("code", text: error.code)
            xml.element("message", [("xml:lang", "en-GB")], text: error.message)
        }
        return xml.bytes
    }
}
