// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
public import TidelineModel

/// What `If-Match` or `If-None-Match` lists.
///
///     If-Match: W/"AAAAAAAAAAAAAAAAAAAAAA", "x"        If-None-Match: *        If-Match: $1
///
/// Compared weakly, as OData asks for and unlike RFC 9110.
/// Source: OData Protocol 4.01, sections 8.2.4, 8.2.5; OData JSON Format 4.01, section 19.2 (`$1`).
public enum ETagCondition: Hashable, Sendable {
    /// `*`.
    case any
    /// The opaque texts between the quotes, weak marks dropped.
    case tags([String])
    /// `$1`: the ETag of the answer to an earlier request of the batch.
    case reference(String)

    /// Whether an entity with that ETag meets the list; `nil` is an entity that does not exist.
    ///
    /// A reference matches nothing: it is resolved before.
    public func matches(_ etag: ETag?) -> Bool {
        guard let etag else { return false }
        return switch self {
        case .any: true
        case .tags(let tags): tags.contains(etag.opaque)
        case .reference: false
        }
    }

    /// Whether it names one version or another, and not any.
    public var namesVersion: Bool { self != .any }

    /// Reads the field of that name; `nil` when the request has none.
    ///
    /// - Throws: `InvalidHeader` when it is no list of entity tags.
    public static func read(_ name: HTTPField.Name, _ fields: HTTPFields) throws(ODataError) -> ETagCondition? {
        guard let text = fields[name] else { return nil }
        guard let condition = ETagCondition(text: text) else {
            throw ODataError(.invalidHeader, "\(name.rawName) is not a list of entity tags.", target: name.rawName)
        }
        return condition
    }

    /// Reads the value of the header, or an `@etag` of a body; `nil` when it is malformed.
    public init?(text: String) {
        var scanner = HeaderScanner(text)
        scanner.skipBlanks()
        if scanner.skip("*") {
            scanner.skipBlanks()
            guard scanner.isAtEnd else { return nil }
            self = .any
            return
        }
        if scanner.skip("$") {
            let id = scanner.rest(until: [])
            guard !id.isEmpty else { return nil }
            self = .reference(id)
            return
        }
        var tags: [String] = []
        while true {
            scanner.skipBlanks()
            if scanner.isAtEnd { break }
            if scanner.skip(",") { continue }
            if scanner.skip("W") { guard scanner.skip("/") else { return nil } }
            // No escapes in entity tags: a backslash is a character like another.
            guard scanner.skip("\"") else { return nil }
            tags.append(scanner.rest(until: [UInt8(ascii: "\"")]))
            guard scanner.skip("\"") else { return nil }
            scanner.skipBlanks()
            guard scanner.isAtEnd || scanner.next == UInt8(ascii: ",") else { return nil }
        }
        guard !tags.isEmpty else { return nil }
        self = .tags(tags)
    }
}
