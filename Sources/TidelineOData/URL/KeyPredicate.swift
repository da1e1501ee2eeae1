// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// The key of an entity as a URL writes it: one value, or a named value for each key property.
///
///     Orders(42)      Products('A''B')      OrderDetails(OrderID=1,Line=2)      Orders(@id)
///
/// Source: OData URL Conventions 4.01, section 4.3.1.
public enum KeyPredicate: Hashable, Sendable {
    /// The value of a key of one property.
    case positional(Value)
    /// Values by the wire names of the properties, in the order written; at least one.
    case named([Pair])

    /// One `Name=value`.
    public struct Pair: Hashable, Sendable {
        public var name: String
        public var value: Value

        public init(name: String, value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// The predicate of a key: positional for one property, named for several.
    public init(_ key: Key, of type: EntityType) {
        if key.values.count == 1 {
            self = .positional(key.values[0])
        } else {
            self = .named(
                zip(type.key, key.values).map { Pair(name: type.properties[$0].names.wire, value: $1) }
            )
        }
    }

    /// The key for entities of a type, each value brought to the type of its property.
    ///
    /// Text is cast to the property's type, as 4.01 asks for: `Orders('42')` is `Orders(42)`.
    ///
    /// - Throws: `InvalidKey` when a property is missing, twice there, unknown, or its value of another type; it names
    ///   the property, its type and what was given.
    public func key(for type: EntityType) throws(ODataError) -> Key {
        let columns = type.key.map { RowShape.Column(type.properties[$0]) }
        return try key(columns: columns)
    }

    func key(columns: [RowShape.Column]) throws(ODataError) -> Key {
        switch self {
        case .positional(let value):
            guard columns.count == 1 else { throw refused("\(Self.expected(columns)), and \(given) was given.") }
            return Key([try Self.cast(value, to: columns[0])])
        case .named(let pairs):
            var values: [Value] = []
            for column in columns {
                let found = pairs.filter { $0.name == column.name }
                guard found.count == 1 else {
                    let problem = found.isEmpty ? "no value" : "more than one value"
                    let property = "\(column.name), an \(column.type.rawValue),"
                    throw refused(
                        "The key property \(property) has \(problem): \(given) was given.",
                        target: column.name
                    )
                }
                values.append(try Self.cast(found[0].value, to: column))
            }
            guard pairs.count == columns.count else {
                let names = Set(columns.map(\.name))
                let other = pairs.first { !names.contains($0.name) }?.name ?? ""
                throw refused(
                    "\(other) is no key property. \(Self.expected(columns)), and \(given) was given.",
                    target: other
                )
            }
            return Key(values)
        }
    }

    private static func cast(_ value: Value, to column: RowShape.Column) throws(ODataError) -> Value {
        guard let cast = LiteralCast.cast(value, to: column.type) else {
            let given = ExpressionPrinter.literal(value).prefix(givenLimit)
            throw ODataError(
                .invalidKey,
                "The key property \(column.name) is an \(column.type.rawValue), and \(given) was given.",
                target: column.name
            )
        }
        return cast
    }

    // MARK: What is said of a key that is none

    /// The most characters of a key that a sentence repeats.
    package static let givenLimit = 100

    /// What the key of a type is, as the beginning of a sentence.
    ///
    ///     The key property OrderId is an Edm.Int32
    ///     The key is (OrderId=Edm.Int32,Code=Edm.String)
    package static func expected(of type: EntityType) -> String {
        expected(type.key.map { RowShape.Column(type.properties[$0]) })
    }

    private static func expected(_ columns: [RowShape.Column]) -> String {
        if columns.count == 1 { return "The key property \(columns[0].name) is an \(columns[0].type.rawValue)" }
        return "The key is (\(columns.map { "\($0.name)=\($0.type.rawValue)" }.joined(separator: ",")))"
    }

    /// The predicate as it was written, or the beginning of it.
    private var given: Substring { text.prefix(Self.givenLimit) }

    private func refused(_ message: String, target: String? = nil) -> ODataError {
        ODataError(.invalidKey, message, target: target)
    }
}
