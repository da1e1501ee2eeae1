// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One header of the protocol by its line, as batches and traces have it.
///
/// Source: OData ABNF construction rules 4.01, section 8, `header`.
package enum HeaderLine: Hashable, Sendable {
    case asyncResult(Int)
    case contentID(String)
    /// `Isolation: snapshot`.
    case isolation
    case entityID(String)
    /// The JSON of a trailing error.
    case error(String)
    case maxVersion(String)
    case version(ODataVersion)
    case prefer([Preference])

    /// Reads `Name: value`.
    ///
    /// - Throws: `InvalidHeader` for a header that the protocol does not have, and for a value of another form.
    package init(parsing line: String) throws(ODataError) {
        guard let colon = line.firstIndex(of: ":") else {
            throw ODataError(.invalidHeader, "A colon follows the name of a header.")
        }
        let name = line[..<colon].lowercased()
        let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        let offset = line.utf8.distance(from: line.startIndex, to: value.startIndex)
        func invalid(_ message: String) -> ODataError {
            ODataError(.invalidHeader, message, target: String(line[..<colon]), at: offset)
        }
        switch name {
        case "asyncresult":
            guard value.utf8.count == 3, let status = Int(value), status >= 100 else {
                throw invalid("AsyncResult is a status of three digits.")
            }
            self = .asyncResult(status)
        case "content-id":
            guard !value.isEmpty, value.utf8.allSatisfy(Self.isUnreserved) else {
                throw invalid("A Content-ID is made of letters, digits, and - . _ ~.")
            }
            self = .contentID(String(value))
        case "isolation", "odata-isolation":
            guard value.lowercased() == "snapshot" else { throw invalid("The only isolation is snapshot.") }
            self = .isolation
        case "odata-entityid":
            guard !value.isEmpty, !value.utf8.contains(where: { $0 <= 0x20 }) else {
                throw invalid("An id is missing.")
            }
            self = .entityID(String(value))
        case "odata-error":
            guard value.hasPrefix("{\"code\":") else { throw invalid("A trailing error is a JSON object with a code.") }
            self = .error(String(value))
        case "odata-maxversion":
            let parts = value.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isDigit) }) else {
                throw invalid("OData-MaxVersion is not a version such as 4.01.")
            }
            self = .maxVersion(String(value))
        case "odata-version":
            guard let version = ODataVersion(rawValue: String(value)) else {
                throw invalid("OData-Version is 4.0 or 4.01.")
            }
            self = .version(version)
        case "prefer": self = .prefer(try Preference.list(parsing: String(value)))
        default: throw ODataError(.invalidHeader, "The protocol has no header \(name.prefix(60)).", at: 0)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || "-._~".utf8.contains(byte)
    }
}
