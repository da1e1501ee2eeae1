// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Reads the preferences of one `Prefer` field one after the other.
struct PreferenceReader {
    /// One preference and how it was written.
    struct Written {
        /// In lower case, without its prefix.
        var name: String
        var isPrefixed: Bool
        var preference: Preference
    }

    private var scanner: HeaderScanner

    init(_ text: String) { scanner = HeaderScanner(text) }

    /// The next preference; `nil` at the end.
    ///
    /// - Throws: `InvalidHeader` for one that does not follow its grammar; the next call goes on after it.
    mutating func next() throws(ODataError) -> Written? {
        repeat { scanner.skipBlanks() } while scanner.skip(",")
        guard !scanner.isAtEnd else { return nil }
        guard let token = scanner.token()?.lowercased() else {
            return try skipped("The name of a preference is missing.")
        }
        let isPrefixed = token.hasPrefix("odata.")
        let name = isPrefixed ? String(token.dropFirst(6)) : token
        scanner.skipBlanks()
        let start = scanner.offset
        guard let value = assigned() else { return try skipped("The value of \(name) is malformed.") }
        var parameters: [(name: String, value: String?)] = []
        scanner.skipBlanks()
        while scanner.skip(";") {
            scanner.skipBlanks()
            guard let parameter = scanner.token()?.lowercased() else { continue }
            scanner.skipBlanks()
            guard let value = assigned() else { return try skipped("The value of \(parameter) is malformed.") }
            parameters.append((parameter, value.text))
            scanner.skipBlanks()
        }
        guard scanner.isAtEnd || scanner.next == UInt8(ascii: ",") else {
            return try skipped("A comma stands between two preferences.")
        }
        do throws(ODataError) {
            let preference = try Preference(
                name: name,
                isPrefixed: isPrefixed,
                value: value.text,
                parameters: parameters
            )
            return Written(name: name, isPrefixed: isPrefixed, preference: preference)
        } catch {
            var error = error
            // A place in a quoted list becomes one in the header: after the = and the quote.
            error.offset = error.offset.map { start + 2 + $0 } ?? (start + 1)
            throw error
        }
    }

    /// `=value`, or nothing; `nil` when what stands after the = is no value.
    private mutating func assigned() -> (text: String?, Void)? {
        guard scanner.skip("=") else { return (nil, ()) }
        scanner.skipBlanks()
        // An empty value is none: RFC 7240, section 2.
        return scanner.tokenOrQuoted().map { ($0.isEmpty ? nil : $0, ()) }
    }

    /// Passes over what is malformed, up to the next comma outside quotes.
    private mutating func skipped(_ message: String) throws(ODataError) -> Written? {
        let error = ODataError(.invalidHeader, message, target: "Prefer", at: scanner.offset)
        while let byte = scanner.next, byte != UInt8(ascii: ",") {
            if byte == UInt8(ascii: "\"") {
                guard scanner.quoted() != nil else { break }
            } else {
                _ = scanner.rest(until: [UInt8(ascii: ","), UInt8(ascii: "\"")])
            }
        }
        throw error
    }
}
