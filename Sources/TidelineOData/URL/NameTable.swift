// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// The names of a model by what they stand for: with them a URL has one meaning.
///
/// Without a table `Products/Best(x=1)` can be an entity by its key or a call, and `Products/A` a cast, a call or a key
/// as a segment. The names of all types are pooled: that a property belongs to the type at hand is for the resolver to
/// find out.
public struct NameTable: Hashable, Sendable {
    private var kinds: [String: NameKinds]
    /// The custom query options that are taken; `nil` for all.
    public var customOptions: Set<String>?
    /// The keys that may stand as segments of their own; `nil` for all that are no names.
    public var keySegments: Set<String>?

    /// What a name can stand for that is not in the table; nothing when the table is complete.
    public var unlisted: NameKinds = []

    /// - Parameter kinds: what each name can stand for, without namespaces.
    public init(_ kinds: [String: NameKinds] = [:]) { self.kinds = kinds }

    /// The names of a model.
    public init(_ model: EntityModel) {
        self.init()
        for set in model.sets {
            add(set.names.wire, .entitySet)
            add(set.type.names.wire, .entityType)
            for property in set.type.properties { add(property.names.wire, .primitiveProperty) }
            for navigation in set.type.navigationProperties {
                add(navigation.names.wire, navigation.isCollection ? .entityCollectionNavigation : .entityNavigation)
            }
        }
    }

    /// Says that a name can also stand for these.
    public mutating func add(_ name: String, _ more: NameKinds) {
        kinds[name, default: []].formUnion(more)
    }

    /// What a name can stand for, its namespace aside; nothing for one that is not known.
    public subscript(name: String) -> NameKinds {
        let last = name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name[name.utf8.index(after: $0)...] }
        return kinds[last.map(String.init) ?? name] ?? unlisted
    }
}
