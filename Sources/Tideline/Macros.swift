// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Makes a struct an entity of a set: its stored properties are the properties of the entity type.
///
///     @Entity("Orders")
///     struct Order {
///         @Key(generated: true) @Name("OrderId") var id: Int32
///         var orderDate: DateTimeOffset                          // OrderDate on the wire
///         var orderStatus: Int32 = 0
///         @MaxLength(200) var remark: String?
///         @Precision(19, scale: 4) var total: EdmDecimal
///         @Reference("Client", to: Client.self) var clientId: GUID
///         @LocalOnly var isExpanded: Bool = false
///     }
///
/// The macro writes an initialiser of all properties, if the struct has none of its own, and the conformance to
/// ``Queryable``. Property types conform to ``PropertyValue``; an optional one may be null.
///
/// - Parameters:
///   - set: the name of the entity set on the wire.
///   - type: the name of the entity type on the wire; the struct's name unless given.
@attached(member, names: named(init))
@attached(
    extension,
    conformances: Queryable,
    names: named(entityDescription),
    named(entitySet),
    named(Columns),
    named(entityKey),
    named(edmValues),
    named(init),
    named(bind)
)
public macro Entity(_ set: String, type: String? = nil) =
    #externalMacro(module: "TidelineMacros", type: "EntityMacro")

/// Marks a key property of an `@Entity`; several make a composite key, in their order.
///
/// - Parameter generated: whether the server makes the key. A new entity has 0 there, a temporary negative key from its
///   insert on, and the final one after the sync.
@attached(peer)
public macro Key(generated: Bool = false) = #externalMacro(module: "TidelineMacros", type: "MarkerMacro")

/// Names a property of an `@Entity` on the wire, where that is not its own name with a capital first letter.
@attached(peer)
public macro Name(_ wire: String) = #externalMacro(module: "TidelineMacros", type: "MarkerMacro")

/// Says that a property of an `@Entity` is the foreign key of another entity.
///
/// Predicates reach over it: `Order.where { $0.client.clientName == "Ann" }`.
///
/// - Parameters:
///   - name: the navigation property on the wire: `Client`; in predicates its first letter is small.
///   - target: the entity it leads to: `Client.self`. Its key is one property.
///   - onDelete: what becomes of this entity when the other is deleted.
///   - inverse: the navigation property on the wire that leads back.
@attached(peer)
public macro Reference(
    _ name: String,
    to target: Any.Type,
    onDelete: NavigationProperty.DeleteRule = .none,
    inverse: String? = nil
) = #externalMacro(module: "TidelineMacros", type: "MarkerMacro")

/// Keeps a property of an `@Entity` on the device: it never crosses the wire.
@attached(peer)
public macro LocalOnly() = #externalMacro(module: "TidelineMacros", type: "MarkerMacro")

/// Says that no two entities of an `@Entity` type have the same value of a property.
@attached(peer)
public macro Unique() = #externalMacro(module: "TidelineMacros", type: "MarkerMacro")

/// Limits a string of an `@Entity` to a number of Unicode characters, or a binary value to a number of bytes.
@attached(peer)
public macro MaxLength(_ length: Int) = #externalMacro(module: "TidelineMacros", type: "MarkerMacro")

/// Limits the digits of a decimal of an `@Entity`, or of the seconds' fraction of a time.
///
/// - Parameters:
///   - precision: the digits of a decimal, 1 to 38, or of a fraction, 0 to 12.
///   - scale: how many digits of a decimal stand after the point; variable unless given.
@attached(peer)
public macro Precision(_ precision: Int, scale: Int? = nil) =
    #externalMacro(module: "TidelineMacros", type: "MarkerMacro")
