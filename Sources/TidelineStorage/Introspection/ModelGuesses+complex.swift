// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ModelGuesses {
    /// Groups of at least three columns with one prefix: the longest prefix first.
    ///
    ///     ship_street, ship_city, ship_zip   →   "ship": {"street": …, "city": …, "zip": …}
    mutating func findComplex(_ place: Int) {
        while let (prefix, members) = longestGroup(place) {
            let draft = drafts[place]
            let columns = members.map { draft.properties[$0].names.database }
            let isWanted = decide(
                .complex,
                draft.name,
                decided:
                    "\(draft.name): the columns \(columns.joined(separator: ", ")) become the complex property \(prefix).",
                hint:
                    "\(draft.name): the columns \(columns.joined(separator: ", ")) could be one complex property, \(prefix)."
            )
            // A hint is given for each group once.
            guard isWanted else {
                hinted[place, default: []].insert(prefix)
                continue
            }
            group(members, prefix, of: place)
        }
    }

    private func longestGroup(_ place: Int) -> (prefix: String, members: [Int])? {
        let draft = drafts[place]
        var groups: [String: [Int]] = [:]
        for (index, property) in draft.properties.enumerated() {
            guard property.container == nil, property.stream == nil, property.structure == nil,
                property.generation == .none, !draft.isReference(property.names.database),
                !draft.properties.contains(where: { $0.stream?.contentTypeProperty == index })
            else { continue }
            let name = property.names.wire
            for end in name.indices
            where name[end] == "_" && end > name.startIndex && name.index(after: end) < name.endIndex {
                groups[String(name[..<end]), default: []].append(index)
            }
        }
        let others = { (members: [Int]) in draft.properties.count - members.count > 0 }
        return groups.filter { prefix, members in
            members.count > 2 && others(members) && !(hinted[place]?.contains { $0.hasPrefix(prefix) } ?? false)
                && !draft.properties.contains {
                    $0.container == nil && $0.names.wire.lowercased() == prefix.lowercased()
                }
                && members.allSatisfy { Self.begins(draft.properties[$0].names.wire.dropFirst(prefix.count + 1)) }
        }.max { ($0.key.utf8.count, $1.key) < ($1.key.utf8.count, $0.key) }.map { ($0.key, $0.value) }
    }

    /// Whether the rest of a name is one itself.
    private static func begins(_ name: Substring) -> Bool {
        name.unicodeScalars.first.map { $0.properties.isAlphabetic || $0 == "_" } ?? false
    }

    private mutating func group(_ members: [Int], _ prefix: String, of place: Int) {
        let parts = members.map { index -> Property in
            var part = drafts[place].properties[index]
            let wire = String(part.names.wire.dropFirst(prefix.count + 1))
            part.names = Names(wire: wire, code: WireNames.code(wire, capital: false), database: part.names.database)
            return part
        }
        let declared = parts.map { part -> Property in
            var part = part
            part.names.database = part.names.wire
            part.storage = .native
            return part
        }
        let wanted = WireNames.code(prefix, capital: true)
        let type: String
        if let known = complexTypes.first(where: { $0.properties == declared }) {
            type = known.names.wire
        } else {
            type = types.first(of: [wanted, drafts[place].typeNames.code + wanted])
            complexTypes.append(ComplexType(names: Names(wire: type), properties: declared))
        }
        let number = drafts[place].complexProperties.count
        drafts[place].complexProperties.append(
            ComplexProperty(
                names: Names(wire: prefix, code: WireNames.code(prefix, capital: false)),
                type: type,
                isNullable: parts.allSatisfy(\.isNullable)
            )
        )
        for (index, part) in zip(members, parts) {
            drafts[place].properties[index] = part
            drafts[place].properties[index].container = number
        }
    }
}
