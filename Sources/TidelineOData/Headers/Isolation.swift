// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// `Isolation: snapshot`, or `OData-Isolation` as 4.0 calls it.
///
/// Source: OData Protocol 4.01, section 8.2.6.
public enum Isolation: Hashable, Sendable {
    case none
    /// All requests of the batch read one state of the data.
    case snapshot

    /// Reads the header.
    ///
    /// - Throws: `InvalidHeader` for another value than `snapshot`: the request must not be processed then.
    public static func read(_ fields: HTTPFields) throws(ODataError) -> Isolation {
        guard let text = fields[.isolation] ?? fields[.odataIsolation] else { return .none }
        guard text.lowercased() == "snapshot" else {
            throw ODataError(.invalidHeader, "The only isolation is snapshot.", target: "Isolation")
        }
        return .snapshot
    }
}
