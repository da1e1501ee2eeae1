// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Writes the service document of v2.
public enum V2Documents {
    private static let app = "http://www.w3.org/2007/app"

    /// - Parameter sets: the names of the entity sets that the user may read.
    public static func service(_ sets: [String], _ context: V2Context, _ format: V2Format) -> [UInt8] {
        switch format {
        case .json: return JSONTree.object([("d", .object([("EntitySets", .list(sets.map(JSONTree.text)))]))]).bytes
        case .atom:
            var xml = XMLWriter.likeVersion2()
            let attributes: [(String, String?)] = [
                ("xml:base", context.v2Root), ("xmlns:atom", V2Body.atom), ("xmlns:app", Self.app), ("xmlns", Self.app),
            ]
            xml.element("service", attributes) { xml in
                xml.element("workspace", []) { xml in
                    xml.element("atom:title", text: "Default")
                    for set in sets {
                        xml.element("collection", [("href", set)]) { $0.element("atom:title", text: set) }
                    }
                }
            }
            return xml.bytes
        }
    }

    /// The sets in the service document of v4.
    public static func sets(_ body: [UInt8]) -> [String] {
        guard let tree = try? JSONTree.read(body), case .list(let list)? = tree["value"] else { return [] }
        return list.filter { ($0["kind"]?.text ?? "EntitySet") == "EntitySet" }.compactMap { $0["name"]?.text }
    }
}
