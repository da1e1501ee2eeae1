// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Reads the fragment of a context URL.
struct ContextReader {
    var reader: ExpressionReader

    mutating func fragment() throws(ODataError) -> ContextFragment {
        var path: [ContextFragment.Segment] = []
        if reader.text.next == UInt8(ascii: "$") {
            guard word("$ref"), reader.text.isAtEnd else { throw reader.text.error("After # comes $ref or a name.") }
            return ContextFragment(path: [.references(isCollection: false)])
        }
        let start = reader.text.offset
        guard let first = reader.text.qualifiedName() else { throw reader.text.error("A name is missing.") }
        if first == "Collection", reader.text.skip("(") {
            if word("$ref") {
                path = [.references(isCollection: true)]
            } else {
                guard let type = reader.text.qualifiedName() else { throw reader.text.error("A type is missing.") }
                path = [.collection(type)]
            }
            guard reader.text.skip(")") else { throw reader.text.error("A closing parenthesis is missing.") }
        } else if first.utf8.contains(UInt8(ascii: ".")) {
            path = [.type(first)]
        } else {
            try check(first, [.entitySet, .singleton], at: start)
            path = [.name(first, key: try key())]
            if let suffix = try rest(of: &path) { return try finished(path, nil, suffix) }
        }
        let select = reader.text.next == UInt8(ascii: "(") ? try list() : nil
        guard reader.text.next == UInt8(ascii: "/") else { return try finished(path, select, nil) }
        reader.text.offset += 1
        guard let suffix = suffix(), suffix == .entity || suffix == .delta else {
            throw reader.text.error("After the list of properties comes $entity or $delta.")
        }
        return try finished(path, select, suffix)
    }

    private func finished(
        _ path: [ContextFragment.Segment],
        _ select: [ContextItem]?,
        _ suffix: ContextFragment.Suffix?
    ) throws(ODataError) -> ContextFragment {
        guard reader.text.isAtEnd else { throw reader.text.error("Something follows the end of the context.") }
        return ContextFragment(path: path, select: select, suffix: suffix)
    }

    /// The segments after the first, and the suffix if one comes at once.
    private mutating func rest(
        of path: inout [ContextFragment.Segment]
    ) throws(ODataError) -> ContextFragment.Suffix? {
        while reader.text.next == UInt8(ascii: "/") {
            guard path.count < ResourcePath.segmentLimit else {
                throw reader.text.tooComplex("The path has more than \(ResourcePath.segmentLimit) segments.")
            }
            reader.text.offset += 1
            if reader.text.next == UInt8(ascii: "$") {
                guard let suffix = suffix() else { throw reader.text.error("There is no such end of a context.") }
                return suffix
            }
            let start = reader.text.offset
            guard let name = reader.text.qualifiedName() else { throw reader.text.error("A name is missing.") }
            if name.utf8.contains(UInt8(ascii: ".")) {
                path.append(.type(name))
            } else {
                try check(name, .property, at: start)
                path.append(.name(name, key: try key()))
            }
        }
        return nil
    }

    private mutating func suffix() -> ContextFragment.Suffix? {
        for suffix in ContextFragment.Suffix.allCases where word(suffix.rawValue) { return suffix }
        return nil
    }

    /// A key predicate; nothing is read where a list of properties begins or nothing stands.
    private mutating func key() throws(ODataError) -> KeyPredicate? {
        guard reader.text.next == UInt8(ascii: "(") else { return nil }
        var copy = reader.text
        copy.offset += 1
        if (try? copy.literal()) == nil {
            guard copy.word() != nil, copy.next == UInt8(ascii: "=") else { return nil }
        }
        return try reader.keyPredicate()
    }

    /// `(Name,Orders+(ID))`.
    private mutating func list() throws(ODataError) -> [ContextItem] {
        try reader.enter()
        defer { reader.depth -= 1 }
        reader.text.offset += 1
        var items: [ContextItem] = []
        if reader.text.skip(")") { return items }
        repeat {
            items.append(try item())
            guard items.count <= 2000 else { throw reader.text.tooComplex("There are more than 2000 properties.") }
        } while reader.text.skip(",")
        guard reader.text.skip(")") else { throw reader.text.error("The list of properties does not end.") }
        return items
    }

    private mutating func item() throws(ODataError) -> ContextItem {
        if reader.text.skip("*") { return ContextItem(path: ["*"]) }
        var item = ContextItem(path: [])
        repeat {
            guard item.path.count < 20 else { throw reader.text.tooComplex("A path has more than 20 names.") }
            let start = reader.text.offset
            let name = try memberName()
            if item.path.isEmpty, name.first != "@", reader.text.next == UInt8(ascii: "."),
                reader.text.byte(1) == UInt8(ascii: "*")
            {
                reader.text.offset += 2
                return ContextItem(path: ["\(name).*"])
            }
            if name.first != "@", !name.utf8.contains(UInt8(ascii: ".")) { try check(name, .property, at: start) }
            item.path.append(name)
        } while reader.text.skip("/")
        item.isRecursive = reader.text.skip("+")
        guard reader.text.next == UInt8(ascii: "(") else { return item }
        if let last = item.path.last, last.utf8.contains(UInt8(ascii: ".")), last.first != "@" {
            let names = try list()
            guard names.allSatisfy({ $0.path.count == 1 && $0.nested == nil }) else {
                throw reader.text.error("In the parentheses of a function stand the names of its parameters.")
            }
            item.parameters = names.map { $0.path[0] }
        } else {
            item.nested = try list()
        }
        return item
    }

    private mutating func memberName() throws(ODataError) -> String {
        var copy = reader.text
        if copy.skip("@"), copy.qualifiedName() != nil, copy.next == UInt8(ascii: "#"), copy.isEncoded() {
            reader.text.offset = copy.offset
            throw reader.text.error("The # before a qualifier is not percent-encoded in a context URL.")
        }
        return try reader.memberName("The name of a property is missing.")
    }

    private func check(_ name: String, _ kinds: NameKinds, at place: Int) throws(ODataError) {
        guard let names = reader.names, names[name].isDisjoint(with: kinds) else { return }
        throw reader.text.error("There is no \(name) here.", at: place)
    }

    /// Passes over exactly this text.
    private mutating func word(_ word: String) -> Bool {
        let start = reader.text.offset
        let bytes = Array(word.utf8)
        guard reader.text.bytes[start...].starts(with: bytes) else { return false }
        reader.text.offset += bytes.count
        guard let next = reader.text.next else { return true }
        guard TextScanner.identifierCharacter(reader.text.bytes, at: reader.text.offset, isFirst: false) == nil else {
            reader.text.offset = start
            return false
        }
        _ = next
        return true
    }
}
