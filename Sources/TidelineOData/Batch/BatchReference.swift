// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// References of a batch to the answers of its earlier requests: `$1`, `$1/Details`.
///
/// Source: OData JSON Format 4.01, section 19.2.
public enum BatchReference {
    private static let reserved: Set = [
        "metadata", "batch", "all", "entity", "root", "crossjoin", "it", "filter", "ref", "count",
    ]

    /// The id that a URL begins with, or `nil` when it is no reference.
    public static func id(ofURL url: some StringProtocol) -> String? {
        guard url.utf8.first == UInt8(ascii: "$") else { return nil }
        let id = url.dropFirst().prefix { $0 != "/" && $0 != "?" && $0 != "(" }
        guard !id.isEmpty, !reserved.contains(String(id)) else { return nil }
        return String(id)
    }

    /// The URL with its reference replaced by the URL of the entity that it stands for.
    public static func resolve(_ url: String, to entity: String) -> String {
        guard let id = id(ofURL: url) else { return url }
        return entity + url.dropFirst(id.count + 1)
    }
}
