// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// A version of the protocol that is spoken here.
///
/// Source: OData Protocol 4.01, sections 8.1.5 and 8.2.7.
public enum ODataVersion: String, Hashable, Sendable, Comparable {
    case v40 = "4.0"
    case v401 = "4.01"

    public static func < (left: ODataVersion, right: ODataVersion) -> Bool { left == .v40 && right == .v401 }

    /// The prefix of control information in JSON: `odata.` in 4.0, nothing in 4.01.
    var controlPrefix: String { self == .v40 ? "odata." : "" }

    /// The version of an answer: 4.01 only where `OData-MaxVersion` says so.
    ///
    /// - Throws: `UnsupportedVersion` when the client takes nothing as new as 4.0, `InvalidHeader` for no version.
    public static func negotiate(_ fields: HTTPFields) throws(ODataError) -> ODataVersion {
        guard let text = fields[.odataMaxVersion] else { return .v40 }
        guard let (major, minor) = parse(text) else {
            throw ODataError(
                .invalidHeader,
                "OData-MaxVersion is not a version such as 4.01.",
                target: "OData-MaxVersion"
            )
        }
        if major < 4 {
            throw ODataError(.unsupportedVersion, "This service speaks OData 4.0 and 4.01.", target: "OData-MaxVersion")
        }
        return major > 4 || minor >= 1 ? .v401 : .v40
    }

    /// The version of a request's body; without a header the one that `OData-MaxVersion` leads to.
    ///
    /// - Throws: `UnsupportedVersion` for a version that is not 4.0 or 4.01.
    public static func ofBody(_ fields: HTTPFields) throws(ODataError) -> ODataVersion {
        guard let text = fields[.odataVersion] else { return try negotiate(fields) }
        guard let (major, minor) = parse(text) else {
            throw ODataError(.invalidHeader, "OData-Version is not a version such as 4.01.", target: "OData-Version")
        }
        guard major == 4, minor <= 1 else {
            throw ODataError(.unsupportedVersion, "This service speaks OData 4.0 and 4.01.", target: "OData-Version")
        }
        return minor == 1 ? .v401 : .v40
    }

    /// `4`, `4.0`, `4.01`; some clients add `;NetFx` or blanks, which are let pass.
    private static func parse(_ text: String) -> (Int, Int)? {
        let version = text.split(separator: ";", maxSplits: 1).first.map { $0.filter { $0 != " " && $0 != "\t" } } ?? ""
        let parts = version.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 1 || parts.count == 2 else { return nil }
        var numbers: [Int] = []
        for part in parts {
            guard !part.isEmpty, part.count <= 4, part.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
                let number = Int(part)
            else { return nil }
            numbers.append(number)
        }
        return (numbers[0], numbers.count == 2 ? numbers[1] : 0)
    }
}
