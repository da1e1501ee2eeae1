// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What the context URL of a payload says after its `#`: what the payload holds.
///
///     #Customers/Shop.VipCustomer(Name,Address/Country,Orders+(ID))/$entity
///      \________________________/ \_______________________________/ \_____/
///                path                          select               suffix
///
/// Source: OData Protocol 4.01, section 10; ABNF construction rules 4.01, section 3.
public struct ContextFragment: Hashable, Sendable {
    /// One segment of the path.
    public enum Segment: Hashable, Sendable {
        /// An entity set, a singleton, a containment navigation or a property, perhaps with a key.
        case name(String, key: KeyPredicate?)
        /// A qualified type name: the type itself when it stands first, else a cast.
        case type(String)
        /// `Collection(Type)`.
        case collection(String)
        /// `$ref` or `Collection($ref)`.
        case references(isCollection: Bool)
    }

    /// What stands at the end of the path.
    public enum Suffix: String, Hashable, Sendable, CaseIterable {
        case entity = "$entity"
        case delta = "$delta"
        case deletedEntity = "$deletedEntity"
        case link = "$link"
        case deletedLink = "$deletedLink"
    }

    public var path: [Segment]
    /// The properties that are there; `nil` when the fragment names none.
    public var select: [ContextItem]?
    public var suffix: Suffix?

    public init(path: [Segment], select: [ContextItem]? = nil, suffix: Suffix? = nil) {
        self.path = path
        self.select = select
        self.suffix = suffix
    }

    /// Reads what follows the `#`, percent-encoded.
    ///
    /// - Throws: `InvalidURL`, `InvalidKey`.
    public init(parsing text: Substring, names: NameTable? = nil) throws(ODataError) {
        try self.init(parsing: text, names: names, base: 0)
    }

    init(parsing text: Substring, names: NameTable?, base: Int) throws(ODataError) {
        guard text.utf8.count <= 1 << 16 else {
            throw ODataError(.tooComplex, "The context URL is longer than 65536 bytes.")
        }
        let reader = ExpressionReader(
            try DecodedText(encoded: text, base: base),
            code: .invalidURL,
            names: names
        )
        var contextReader = ContextReader(reader: reader)
        self = try contextReader.fragment()
    }
}
