// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineOData

/// The parameters of a request of the fishing app, by name.
///
///     action=create&name=Old%20pier%20%26%20rock&lat=59.913900
struct FishingForm {
    private var values: [String: String] = [:]

    init() {}

    /// - Parameter query: as forms are encoded: `+` is a blank.
    /// - Throws: ``FishingFault`` for a name that stands twice, and for what is no text.
    init(query: some StringProtocol) throws(FishingFault) {
        for part in query.split(separator: "&") {
            let cut = part.firstIndex(of: "=") ?? part.endIndex
            try add(Self.decode(part[..<cut]), Self.decode(part[cut...].dropFirst()))
        }
    }

    /// - Throws: ``FishingFault`` for a name that is there: an unescaped `&` in a text must not become another parameter.
    mutating func add(_ name: String, _ value: String) throws(FishingFault) {
        guard values.updateValue(value, forKey: name) == nil else {
            throw .unreadable("The parameter \(name.prefix(40)), which stands twice,")
        }
    }

    subscript(_ name: String) -> String? { values[name] }

    func required(_ name: String) throws(FishingFault) -> String {
        guard let value = values[name] else { throw .missing(name) }
        return value
    }

    /// An integer above 0.
    func id(_ name: String = "id") throws(FishingFault) -> Int64 {
        let text = try required(name)
        guard let id = Self.whole(text) else { throw .badID(text) }
        return id
    }

    /// A number of things or of a unit, above 0.
    func count(_ name: String) throws(FishingFault) -> Int64 {
        let text = try required(name)
        guard let count = Self.whole(text) else { throw .badNumber(name, text) }
        return count
    }

    /// Digits alone, of a number above 0.
    private static func whole(_ text: String) -> Int64? {
        guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = Int64(text), number > 0 else {
            return nil
        }
        return number
    }

    /// A number as `%f` writes it, or with more digits: none is lost.
    func double(_ name: String) throws(FishingFault) -> Double {
        let text = try required(name)
        guard text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }), let number = Double(text), number.isFinite
        else { throw .badNumber(name, text) }
        return number
    }

    /// 0 or 1.
    func flag(_ name: String) throws(FishingFault) -> Bool {
        let text = try required(name)
        guard text == "0" || text == "1" else { throw .badNumber(name, text) }
        return text == "1"
    }

    private static func decode(_ text: some StringProtocol) throws(FishingFault) -> String {
        let plain =
            text.utf8.contains(UInt8(ascii: "+"))
            ? text.split(separator: "+", omittingEmptySubsequences: false).joined(separator: "%20") : String(text)
        do {
            return try PercentCoding.decode(plain[...])
        } catch {
            throw .unreadable("The query")
        }
    }
}
