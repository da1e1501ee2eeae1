// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// The values of an entry of the conflict log, as far as the model still has their properties.
struct RestorableValues {
    /// The JSON object to write.
    let body: [UInt8]
    /// The names of the other properties, each once, in the order of the entry; one that is only annotated, too.
    let missing: [String]
    /// Whether there are others alone.
    let isEmpty: Bool

    init(_ lost: String, of type: EntityType) throws(ODataError) {
        let bytes = Array(lost.utf8)
        guard type.dynamicProperty == nil, case .object(let members) = try JSONTree.read(bytes) else {
            body = bytes
            missing = []
            isEmpty = false
            return
        }
        let kept = members.filter { Self.has(Self.property($0.0), type) }
        var absent: [String] = []
        for member in members {
            let property = Self.property(member.0)
            if !Self.has(property, type), !absent.contains(property) { absent.append(property) }
        }
        missing = absent
        // As it stands where nothing is left out.
        body = kept.count == members.count ? bytes : JSONTree.object(kept).bytes
        isEmpty = kept.isEmpty && !members.isEmpty
    }

    /// The property that a member is of: an annotation's, too.
    private static func property(_ member: String) -> String { String(member.prefix { $0 != "@" }) }

    /// Annotations of the entity itself have no name, and stay.
    private static func has(_ name: String, _ type: EntityType) -> Bool {
        name.isEmpty || type.propertyIndex(wire: name) != nil || type.navigationIndex(wire: name) != nil
            || type.complexProperties.contains { $0.parent == nil && $0.names.wire == name }
    }
}
