// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Makes names of the database into identifiers of OData, each once: names that differ only by case count as equal.
///
/// Source: OData CSDL 4.01, section 15.2 (`SimpleIdentifier`): a letter or `_`, then letters, digits and `_`, at most 128.
package struct WireNames {
    private var taken: Set<String> = []

    package init(taken: some Sequence<String> = []) { self.taken = Set(taken.map { $0.lowercased() }) }

    package func isFree(_ name: String) -> Bool { !taken.contains(name.lowercased()) }

    /// A name that nobody has yet, as near to the wanted one as can be.
    package mutating func unique(_ wanted: String) -> String {
        let base = Self.identifier(wanted)
        var name = base
        var number = 2
        while !taken.insert(name.lowercased()).inserted {
            name = "\(base)_\(number)"
            number += 1
        }
        return name
    }

    /// The first of several names that nobody has yet; the last one gets a number where all are taken.
    package mutating func first(of names: [String]) -> String {
        unique(names.map(Self.identifier).first(where: isFree) ?? names.last ?? "Item")
    }

    /// Characters that an identifier cannot have become `_`.
    package static func identifier(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            let isAllowed = SimpleIdentifier.allows(scalar, isFirst: false)
            if isAllowed, result.isEmpty, !SimpleIdentifier.allows(scalar, isFirst: true) { result.append("_") }
            result.unicodeScalars.append(isAllowed ? scalar : "_")
        }
        // Room is left for the number of ``unique(_:)``.
        return result.isEmpty ? "_" : String(String.UnicodeScalarView(result.unicodeScalars.prefix(120)))
    }

    /// The English singular of the last word of a name: `Orders` and `Order`, `categories` and `category`.
    package static func singular(_ name: String) -> String {
        let lower = name.lowercased()
        if lower.hasSuffix("ies"), name.count > 4 { return name.dropLast(3) + (name.hasSuffix("IES") ? "Y" : "y") }
        if ["sses", "xes", "ches", "shes", "zes"].contains(where: lower.hasSuffix) { return String(name.dropLast(2)) }
        if lower.hasSuffix("s"), !["ss", "us", "is"].contains(where: lower.hasSuffix), name.count > 2 {
            return String(name.dropLast())
        }
        return name
    }

    /// A name in Swift: words joined, the first letter small or capital.
    package static func code(_ name: String, capital: Bool) -> String {
        let words = name.split { $0 == "_" || $0 == " " || $0 == "-" }.map(String.init)
        guard let head = words.first else { return capital ? "Item" : "item" }
        var first = head.uppercased() == head && head.count > 1 ? head.lowercased() : head
        // A run of capitals at the start goes down together: ID, URLText.
        if !capital {
            let capitals = first.prefix { $0.isUppercase }
            let count = capitals.count > 1 && capitals.count < first.count ? capitals.count - 1 : capitals.count
            first = first.prefix(count).lowercased() + first.dropFirst(count)
        } else {
            first = first.prefix(1).uppercased() + first.dropFirst()
        }
        let rest = words.dropFirst().map { word in
            let plain = word.uppercased() == word ? word.lowercased() : word
            return plain.prefix(1).uppercased() + plain.dropFirst()
        }
        let joined = first + rest.joined()
        let safe = joined.first?.isNumber == true ? "_" + joined : joined
        return capital ? safe : safe
    }
}
