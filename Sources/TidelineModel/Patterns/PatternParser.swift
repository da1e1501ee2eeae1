// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Reads a regular expression: ECMAScript's grammar with the flag `u`, without what ``Pattern`` names.
struct PatternParser {
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var depth = 0

    static func parse(_ text: String) throws(Pattern.Failure) -> PatternNode {
        guard text.utf8.count <= 1000 else { throw .unsupported("a pattern of more than 1000 bytes") }
        var parser = PatternParser(scalars: Array(text.unicodeScalars))
        let node = try parser.alternatives()
        guard parser.position == parser.scalars.count else { throw .invalid("a ) has no (") }
        return node
    }

    private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    // MARK: - Terms

    private mutating func alternatives() throws(Pattern.Failure) -> PatternNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 50 else { throw .unsupported("more than 50 groups inside each other") }
        var branches = [try sequence()]
        while skip("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .alternatives(branches)
    }

    private mutating func sequence() throws(Pattern.Failure) -> PatternNode {
        var terms: [PatternNode] = []
        while let scalar = next, scalar != "|", scalar != ")" { terms.append(try term()) }
        return terms.count == 1 ? terms[0] : terms.isEmpty ? .empty : .sequence(terms)
    }

    private mutating func term() throws(Pattern.Failure) -> PatternNode {
        guard let scalar = next else { return .empty }
        position += 1
        switch scalar {
        case "^": return .start
        case "$": return .end
        case "*", "+", "?", "{": throw .invalid("\(scalar) has nothing to repeat")
        case "]", "}": throw .invalid("\(scalar) stands alone")
        case "\\":
            if skip("b") { return .boundary(isNegated: false) }
            if skip("B") { return .boundary(isNegated: true) }
            return try repeated(.characters(escape(inClass: false)))
        case ".": return try repeated(.characters(ScalarSet.lineEnds.inverted))
        case "[": return try repeated(.characters(characterClass()))
        case "(": return try repeated(group())
        default: return try repeated(.characters(ScalarSet(scalar)))
        }
    }

    private mutating func group() throws(Pattern.Failure) -> PatternNode {
        if skip("?"), !skip(":") {
            guard skip("<") else { throw .unsupported("look-ahead") }
            guard let first = next, first != "=", first != "!" else { throw .unsupported("look-behind") }
            var name = ""
            while let scalar = next, scalar != ">" {
                name.unicodeScalars.append(scalar)
                position += 1
            }
            guard skip(">"), !name.isEmpty else { throw .invalid("the name of a group does not end") }
        }
        let inner = try alternatives()
        guard skip(")") else { throw .invalid("a ( has no )") }
        return inner
    }

    private mutating func repeated(_ node: PatternNode) throws(Pattern.Failure) -> PatternNode {
        let (least, most): (Int, Int?)
        if skip("*") {
            (least, most) = (0, nil)
        } else if skip("+") {
            (least, most) = (1, nil)
        } else if skip("?") {
            (least, most) = (0, 1)
        } else if skip("{") {
            let count = try self.count()
            if skip(",") {
                (least, most) = (count, next == "}" ? nil : try self.count())
            } else {
                (least, most) = (count, count)
            }
            guard skip("}") else { throw .invalid("a count does not end") }
            if let most, most < least { throw .invalid("a count goes down") }
        } else {
            return node
        }
        _ = skip("?")
        if let scalar = next, "*+?{".unicodeScalars.contains(scalar) {
            throw .invalid("\(scalar) has nothing to repeat")
        }
        return .repetition(node, least: least, most: most)
    }

    private mutating func count() throws(Pattern.Failure) -> Int {
        var value = 0
        let start = position
        while let scalar = next, ("0"..."9").contains(scalar) {
            value = value * 10 + Int(scalar.value - 0x30)
            guard value <= 255 else { throw .unsupported("a count over 255") }
            position += 1
        }
        guard position > start else { throw .invalid("a count has no number") }
        return value
    }

    // MARK: - Characters

    private mutating func characterClass() throws(Pattern.Failure) -> ScalarSet {
        let isNegated = skip("^")
        var set = ScalarSet([])
        while !skip("]") {
            let first = try classAtom()
            guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
                set = set.union(first)
                continue
            }
            position += 1
            let last = try classAtom()
            guard let low = first.single, let high = last.single else { throw .invalid("a range ends in a class") }
            guard low <= high else { throw .invalid("a range goes down") }
            set = set.union(ScalarSet([low...high]))
        }
        return isNegated ? set.inverted : set
    }

    private mutating func classAtom() throws(Pattern.Failure) -> ScalarSet {
        guard let scalar = next else { throw .invalid("a [ has no ]") }
        position += 1
        return scalar == "\\" ? try escape(inClass: true) : ScalarSet(scalar)
    }

    private mutating func escape(inClass: Bool) throws(Pattern.Failure) -> ScalarSet {
        guard let scalar = next else { throw .invalid("a \\ stands at the end") }
        position += 1
        switch scalar {
        case "d": return .digits
        case "D": return ScalarSet.digits.inverted
        case "w": return .word
        case "W": return ScalarSet.word.inverted
        case "s": return .space
        case "S": return ScalarSet.space.inverted
        case "t": return ScalarSet("\t")
        case "n": return ScalarSet("\n")
        case "v": return ScalarSet("\u{0B}")
        case "f": return ScalarSet("\u{0C}")
        case "r": return ScalarSet("\r")
        case "b" where inClass: return ScalarSet("\u{08}")
        case "-" where inClass: return ScalarSet("-")
        case "0":
            if let digit = next, ("0"..."9").contains(digit) { throw .invalid("an octal escape") }
            return ScalarSet("\0")
        case "1"..."9", "k": throw .unsupported("back-references")
        case "p", "P": throw .unsupported("Unicode properties")
        case "c":
            guard let letter = next, letter.properties.isAlphabetic, letter.isASCII else {
                throw .invalid("\\c has no letter")
            }
            position += 1
            return ScalarSet([(letter.value % 32)...(letter.value % 32)])
        case "x": return try hexadecimal(2)
        case "u":
            guard skip("{") else { return try hexadecimal(4) }
            return try braced()
        case "^", "$", "\\", ".", "*", "+", "?", "(", ")", "[", "]", "{", "}", "|", "/": return ScalarSet(scalar)
        default: throw .invalid("\\\(scalar) is no escape")
        }
    }

    private mutating func hexadecimal(_ digits: Int) throws(Pattern.Failure) -> ScalarSet {
        var value: UInt32 = 0
        for _ in 0..<digits { value = value * 16 + (try hexadecimalDigit()) }
        if digits == 4, (0xD800...0xDBFF).contains(value), skip("\\"), skip("u") {
            var low: UInt32 = 0
            for _ in 0..<4 { low = low * 16 + (try hexadecimalDigit()) }
            guard (0xDC00...0xDFFF).contains(low) else { throw .invalid("half a surrogate pair") }
            value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        }
        return try scalar(value)
    }

    private mutating func braced() throws(Pattern.Failure) -> ScalarSet {
        var value: UInt32 = 0
        repeat {
            value = value * 16 + (try hexadecimalDigit())
            guard value <= 0x10FFFF else { throw .invalid("no character has that number") }
        } while next != "}"
        position += 1
        return try scalar(value)
    }

    private func scalar(_ value: UInt32) throws(Pattern.Failure) -> ScalarSet {
        guard let scalar = Unicode.Scalar(value) else { throw .invalid("no character has that number") }
        return ScalarSet(scalar)
    }

    private mutating func hexadecimalDigit() throws(Pattern.Failure) -> UInt32 {
        guard let scalar = next, scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
            throw .invalid("a hexadecimal digit is missing")
        }
        position += 1
        return UInt32(digit)
    }
}

extension ScalarSet {
    /// The only scalar of the set, or `nil`.
    fileprivate var single: UInt32? {
        guard ranges.count == 1, ranges[0].count == 1 else { return nil }
        return ranges[0].lowerBound
    }
}
