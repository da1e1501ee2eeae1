// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// The dynamic properties that rows of an entity set had when a client was shown them.
///
/// Of an entity in a delta a client keeps what is not told, so a property that is gone is told as null.
/// Source: OData JSON Format 4.01, section 15.2; OData Protocol 4.01, section 11.4.3.
public struct FormerMembers: Sendable {
    private var names: [Key: Set<String>] = [:]
    private var unknown: Set<Key> = []

    public init() {}

    /// Takes note of a row as a client may hold it.
    ///
    /// - Parameter object: the JSON text of its dynamic properties; `nil` where nobody knows any more what they were.
    public mutating func note(_ key: Key, _ object: Value?) {
        switch object {
        case nil: unknown.insert(key)
        case .string(let text)?: names[key, default: []].formUnion(Self.names(in: Array(text.utf8), countsNull: false))
        default: break
        }
    }

    /// Whether a client may hold any properties of a row: then it has to forget the row first.
    func isUnknown(_ key: Key) -> Bool { unknown.contains(key) }

    /// The properties that a row had, and has no more.
    func gone(_ key: Key, now object: [UInt8]) -> [String] {
        guard let names = names[key], !unknown.contains(key) else { return [] }
        return names.subtracting(Self.names(in: object)).sorted()
    }

    /// The names of the properties in an object.
    ///
    /// - Parameter countsNull: whether a property that is null counts, as one that is written does, or not, as one that is
    ///   held.
    static func names(in object: [UInt8], countsNull: Bool = true) -> Set<String> {
        let members = (try? JSONTree.read(object))?.members ?? []
        return Set(
            members.compactMap { name, value in
                if case .null = value, !countsNull { return nil }
                guard case .plain(let plain) = ControlName(name) else { return nil }
                return plain
            }
        )
    }
}
