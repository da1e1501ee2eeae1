// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A cursor over WKT; every method gives `nil` for text of another form.
struct WKTReader {
    static let depthLimit = 20

    var position: Int

    mutating func skipBlanks(in text: Span<UInt8>) {
        while position < text.count, text[position] == 0x20 || text[position] == 0x09 { position += 1 }
    }

    /// Passes over a byte and the blanks around it.
    mutating func skip(_ byte: UInt8, in text: Span<UInt8>) -> Bool {
        let start = position
        skipBlanks(in: text)
        guard ASCII.skip(byte, in: text, at: &position) else {
            position = start
            return false
        }
        skipBlanks(in: text)
        return true
    }

    /// Passes over a word in any case, given in capitals.
    mutating func word(_ word: StaticString, in text: Span<UInt8>) -> Bool {
        let count = word.utf8CodeUnitCount
        guard position + count <= text.count else { return false }
        for place in 0..<count {
            let byte = text[position + place]
            let upper = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? byte & 0xDF : byte
            guard unsafe upper == word.utf8Start[place] else { return false }
        }
        position += count
        return true
    }

    mutating func shape(in text: Span<UInt8>, depth: Int) -> Geography.Shape? {
        guard depth < WKTReader.depthLimit else { return nil }
        skipBlanks(in: text)
        // The longer names first, where one begins another.
        if word("POINT", in: text) {
            return self.point(in: text).map(Geography.Shape.point)
        }
        if word("LINESTRING", in: text) {
            return line(in: text).map(Geography.Shape.lineString)
        }
        if word("POLYGON", in: text) {
            return rings(in: text).map(Geography.Shape.polygon)
        }
        if word("MULTIPOINT", in: text) {
            return list(in: text, mayBeEmpty: true) { $0.point(in: text) }.map(Geography.Shape.multiPoint)
        }
        if word("MULTILINESTRING", in: text) {
            return list(in: text, mayBeEmpty: true) { $0.line(in: text) }.map(Geography.Shape.multiLineString)
        }
        if word("MULTIPOLYGON", in: text) {
            return list(in: text, mayBeEmpty: true) { $0.rings(in: text) }.map(Geography.Shape.multiPolygon)
        }
        if word("GEOMETRYCOLLECTION", in: text) {
            return list(in: text, mayBeEmpty: false) { $0.shape(in: text, depth: depth + 1) }
                .map(Geography.Shape.collection)
        }
        return nil
    }

    private mutating func list<Item>(
        in text: Span<UInt8>,
        mayBeEmpty: Bool,
        _ item: (inout WKTReader) -> Item?
    ) -> [Item]? {
        guard skip(UInt8(ascii: "("), in: text) else { return nil }
        var items: [Item] = []
        if mayBeEmpty, skip(UInt8(ascii: ")"), in: text) { return items }
        repeat {
            guard let next = item(&self) else { return nil }
            items.append(next)
        } while skip(UInt8(ascii: ","), in: text)
        return ASCII.skip(UInt8(ascii: ")"), in: text, at: &position) ? items : nil
    }

    private mutating func point(in text: Span<UInt8>) -> Geography.Position? {
        guard let items = list(in: text, mayBeEmpty: false, { $0.coordinates(in: text) }), items.count == 1 else {
            return nil
        }
        return items[0]
    }

    /// Two positions or more.
    private mutating func line(in text: Span<UInt8>) -> [Geography.Position]? {
        guard let items = list(in: text, mayBeEmpty: false, { $0.coordinates(in: text) }), items.count > 1 else {
            return nil
        }
        return items
    }

    /// Rings that each end where they begin.
    private mutating func rings(in text: Span<UInt8>) -> [[Geography.Position]]? {
        list(in: text, mayBeEmpty: false) { reader in
            let ring = reader.list(in: text, mayBeEmpty: false) { $0.coordinates(in: text) }
            guard let ring, ring.first == ring.last else { return nil }
            return ring
        }
    }

    private mutating func coordinates(in text: Span<UInt8>) -> Geography.Position? {
        var numbers: [Double] = []
        while numbers.count < 4, let number = number(in: text) {
            numbers.append(number)
            skipBlanks(in: text)
        }
        guard numbers.count > 1 else { return nil }
        return Geography.Position(
            numbers[0],
            numbers[1],
            altitude: numbers.count > 2 ? numbers[2] : nil,
            measure: numbers.count > 3 ? numbers[3] : nil
        )
    }

    private mutating func number(in text: Span<UInt8>) -> Double? {
        var end = position
        while end < text.count, text[end] > 0x20, text[end] != UInt8(ascii: ","), text[end] != UInt8(ascii: ")") {
            end += 1
        }
        guard end > position, let number = DoubleText.parse(text.extracting(position..<end)) else { return nil }
        position = end
        return number
    }
}
