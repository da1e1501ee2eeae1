// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The members of a body that an open type does not declare, as JSON text.
struct DynamicMembers {
    private var members: [(name: String, json: [UInt8])] = []

    var isEmpty: Bool { members.isEmpty }

    /// Whether a name can be that of a dynamic property: an identifier.
    static func isName(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, first == "_" || first.properties.isAlphabetic else { return false }
        return name.unicodeScalars.count <= 128
            && name.unicodeScalars.allSatisfy {
                $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType != nil
            }
    }

    mutating func add(_ name: String, _ reader: inout JSONReader) throws(ODataError) {
        guard members.count < 1_000 else {
            throw ODataError(.tooComplex, "The body has more than 1000 dynamic properties.")
        }
        let range = try reader.skipValueRange()
        members.append((name, reader.copy(range)))
    }

    /// The object with all members.
    var text: String {
        let output = ByteWriter()
        output.append("{")
        for (place, member) in members.enumerated() {
            if place > 0 { output.append(",") }
            output.appendQuoted(member.name)
            output.append(":")
            output.append(member.json)
        }
        output.append("}")
        return output.text
    }
}
