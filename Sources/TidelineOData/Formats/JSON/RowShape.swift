// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// What the rows of one answer look like on the wire: the columns in their order, and what hangs on each row.
///
/// A writer turns the values pushed for a shape into JSON; a reader pushes the values of JSON in the order of a shape.
public struct RowShape: Hashable, Sendable {
    /// The related entities that stand in each row.
    public struct Expansion: Hashable, Sendable {
        /// What is written of them.
        public enum Content: Hashable, Sendable {
            case entities, references
            /// Their number alone.
            case count
        }

        /// The address of the related entities that follow a page.
        public struct Rest: Hashable, Sendable {
            /// What follows the name in the path of the next link: a cast, `/$ref`.
            public var segments: String
            /// The query of the next link, percent-encoded, without its question mark and `$skiptoken`.
            public var query: String
            /// What the token of the link is bound to.
            public var scope: [UInt8]

            public init(segments: String, query: String, scope: [UInt8]) {
                self.segments = segments
                self.query = query
                self.scope = scope
            }
        }

        public var name: String
        public var isCollection: Bool
        public var shape: RowShape
        /// What is written of the related entities.
        public var content = Content.entities
        /// Where the rest of them is, if only a page of them stands in the row.
        public var rest: Rest?
        /// The wire name of the derived type whose rows alone have it.
        public var declaringType: String?
        /// The context URL that stands before it, relative to that of the answer, where the model does not know it.
        public var context: String?
        /// How often the expansion is in itself, for the context URL: `Parent+`.
        public var isRecursive = false
        /// Whether it repeats the expansion around it, which the context URL tells already.
        public var isRepetition = false

        public init(name: String, isCollection: Bool, shape: RowShape) {
            self.name = name
            self.isCollection = isCollection
            self.shape = shape
        }
    }

    /// A complex property over columns of the row.
    public struct Complex: Hashable, Sendable {
        public var name: String
        /// The qualified name of its type.
        public var type: String
        public var isNullable: Bool
        /// The place in ``RowShape/complexes`` of the complex property around it.
        public var parent: Int?
        /// The context URL in it, relative to that of the answer, where it is an entity that `join` added.
        public var context: String?

        public init(name: String, type: String, isNullable: Bool, parent: Int? = nil) {
            self.name = name
            self.type = type
            self.isNullable = isNullable
            self.parent = parent
        }
    }

    /// How a row tells its type.
    public struct Derivation: Hashable, Sendable {
        /// One derived type.
        public struct Kind: Hashable, Sendable {
            /// The qualified name.
            public var name: String
            /// The wire names of the type and of those that it extends: whose properties its rows have.
            public var lineage: Set<String>

            public init(name: String, lineage: Set<String>) {
                self.name = name
                self.lineage = lineage
            }
        }

        /// The column that holds the discriminator.
        public var column: Int
        /// The derived types by the discriminator's value.
        public var kinds: [Value: Kind]

        public init(column: Int, kinds: [Value: Kind]) {
            self.column = column
            self.kinds = kinds
        }
    }

    /// A stream property, or the stream of a media entity.
    public struct Stream: Hashable, Sendable {
        /// The name of the property; `nil` for the media entity itself.
        public var name: String?
        /// The media type, where it is always the same.
        public var contentType: String?
        /// The wire name of the derived type whose rows alone have it.
        public var declaringType: String?

        public init(name: String?, contentType: String? = nil, declaringType: String? = nil) {
            self.name = name
            self.contentType = contentType
            self.declaringType = declaringType
        }
    }

    /// A navigation property, whose links full metadata names.
    public struct Link: Hashable, Sendable {
        public var name: String
        /// The wire name of the derived type whose rows alone have it.
        public var declaringType: String?

        public init(name: String, declaringType: String? = nil) {
            self.name = name
            self.declaringType = declaringType
        }
    }

    /// The wire name of the entity set.
    public var set: String
    /// The key properties, in key order; they say what a removed entity is called.
    public var key: [Column]
    public var columns: [Column]
    public var expansions: [Expansion]
    /// Whether each row has its `@etag`.
    public var includesETag: Bool
    /// What the select list of the context URL names of the rows' own properties, or `nil` when all are there.
    public var selected: [String]?
    /// The qualified name of the rows' declared type, or nothing where it is not known.
    public var type = ""
    /// The qualified name of the derived type that the rows are cast to.
    public var castType: String?
    /// Whether each row names its type and its identity, for the set of the answer does not tell them.
    public var namesType = false
    public var complexes: [Complex] = []
    public var derivation: Derivation?
    /// The navigation properties whose links full metadata names.
    public var links: [Link] = []
    public var streams: [Stream] = []
    /// The operations that full metadata advertises on each row, and on the collection.
    public var operations: [Operation] = []
    public var collectionOperations: [Operation] = []
    /// Whether entities can only be read: they have a read link in place of an edit link.
    public var isReadOnly = false
    /// The URL of the singleton, in place of the set and the key.
    public var singleton: String?
    /// The URL of the collection that the entities are contained in, in place of the set.
    public var containedIn: String?
    /// The URL of the single-valued navigation property behind which a contained entity stands, in place of the set and
    /// the key.
    public var standsAt: String?
    /// Whether the URL of an entity begins with that of the entity around it.
    public var isContained = false

    public init(
        set: String,
        key: [Column],
        columns: [Column],
        expansions: [Expansion] = [],
        includesETag: Bool = true,
        selected: [String]? = nil
    ) {
        self.set = set
        self.key = key
        self.columns = columns
        self.expansions = expansions
        self.includesETag = includesETag
        self.selected = selected
    }

    /// The shape of rows of an entity set.
    ///
    /// - Parameters:
    ///   - columns: the places of the properties, in the order of pushing; `nil` for all that cross the wire.
    ///   - model: what names the types of the properties; without it, they are taken as columns without features.
    public init(
        _ set: EntitySet,
        columns: [Int]? = nil,
        expansions: [Expansion] = [],
        includesETag: Bool = true,
        model: EntityModel? = nil
    ) {
        let type = set.type
        let all = type.wireProperties
        let places = columns ?? all
        self.init(
            set: set.names.wire,
            key: type.key.map { Column(type.properties[$0]) },
            columns: places.map { Column($0, of: type, in: model) },
            expansions: expansions,
            includesETag: includesETag,
            selected: places == all ? nil : places.map { type.path(of: $0) }
        )
        if let model { describe(set, places, model) }
    }

    /// Where the entities stand: the URL of what contains them, or the set.
    var place: String { standsAt ?? containedIn ?? set }

    private mutating func describe(_ set: EntitySet, _ places: [Int], _ model: EntityModel) {
        let type = set.type
        func qualified(_ name: String) -> String { "\(model.namespace).\(name)" }
        self.type = qualified(type.names.wire)
        isReadOnly = set.isReadOnly
        isContained = set.isContained
        complexes = type.complexProperties.map {
            Complex(name: $0.names.wire, type: qualified($0.type), isNullable: $0.isNullable, parent: $0.parent)
        }
        links = type.navigationProperties.map { Link(name: $0.names.wire, declaringType: $0.declaringType) }
        streams = type.properties.enumerated().compactMap { place, property in
            guard let stream = property.stream else { return nil }
            return Stream(
                name: place == type.mediaProperty ? nil : property.names.wire,
                contentType: stream.contentType,
                declaringType: property.declaringType
            )
        }
        guard let discriminator = type.discriminator, let column = places.firstIndex(of: discriminator),
            !type.derivedTypes.isEmpty
        else { return }
        var kinds: [Value: Derivation.Kind] = [:]
        for derived in type.derivedTypes {
            guard let value = derived.discriminatorValue else { continue }
            kinds[value] = Derivation.Kind(
                name: qualified(derived.names.wire),
                lineage: type.lineage(of: derived.names.wire)
            )
        }
        derivation = Derivation(column: column, kinds: kinds)
    }

    /// The select list of a context URL, without its parentheses; `nil` when everything is there.
    ///
    ///     OrderId,Client(Name),Lines()        4.01
    ///     OrderId,Client(Name),Lines          4.0
    ///
    /// Source: OData Protocol 4.01, sections 10.7 to 10.11.
    public func selectList(_ version: ODataVersion) -> String? {
        var items = selected ?? []
        for expansion in expansions where !expansion.isRepetition {
            let recursion = expansion.isRecursive ? "+" : ""
            let inner: String?
            switch expansion.content {
            case .references:
                items.append("\(expansion.name)/$ref")
                continue
            case .count: continue
            case .entities: inner = expansion.shape.selectList(version)
            }
            if version == .v401 {
                items.append("\(expansion.name)\(recursion)(\(inner ?? ""))")
            } else if let inner {
                items.append("\(expansion.name)\(recursion)(\(inner))")
            } else if selected != nil {
                items.append(expansion.name + recursion)
            }
        }
        if selected == nil, items.isEmpty { return nil }
        return items.joined(separator: ",")
    }
}
