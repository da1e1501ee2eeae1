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

/// Limits the values of a number, date or time of an `@Entity`: `@Range(1...10)`, `@Range(0...)`, `@Range(...100)`.
@attached(peer)
public macro Range<Bounds: RangeExpression>(_ bounds: Bounds) =
    #externalMacro(module: "TidelineMacros", type: "MarkerMacro")

/// Says what the strings of a property of an `@Entity` look like: `@Pattern("^[A-Z]{3}$")`.
///
/// A string matches where any part of it does. Source: OData vocabulary Validation V1, term `Pattern`.
@attached(peer)
public macro Pattern(_ expression: String) = #externalMacro(module: "TidelineMacros", type: "MarkerMacro")

/// Lists the only values that a property of an `@Entity` may have: `@AllowedValues("new", "used")`.
///
/// A Swift enumeration that is `CaseIterable` needs none: its cases are the allowed values.
@attached(peer)
public macro AllowedValues(_ values: Any...) = #externalMacro(module: "TidelineMacros", type: "MarkerMacro")

/// Says that clients cannot write a property of an `@Entity`.
@attached(peer)
public macro ReadOnly() = #externalMacro(module: "TidelineMacros", type: "MarkerMacro")

/// Says that a property of an `@Entity` is given at the insert and not changed later.
@attached(peer)
public macro Immutable() = #externalMacro(module: "TidelineMacros", type: "MarkerMacro")

/// Says that the server computes a property of an `@Entity` at every change.
@attached(peer)
public macro Computed() = #externalMacro(module: "TidelineMacros", type: "MarkerMacro")

/// Says that the server gives a property of an `@Entity` a value where a new entity has none: the time of its creation, say.
///
/// What the entity has goes to the server, and can be changed later. `nil` leaves what the server has: an update by name
/// clears it. Source: OData vocabulary Core V1, term `ComputedDefaultValue`.
@attached(peer)
public macro ComputedDefault() = #externalMacro(module: "TidelineMacros", type: "MarkerMacro")

/// Keeps changes of a property of an `@Entity` on the device, though its values come from the server.
///
/// What is set here stays until the server sends another value; it is never recorded or sent.
@attached(peer)
public macro Untracked() = #externalMacro(module: "TidelineMacros", type: "MarkerMacro")

/// Names what a property of an `@Entity`, or its set, was called on the wire in older versions of the app.
///
/// A migration keeps the values: `@Renamed(from: "Phone") var contactPhone: String?`.
@attached(peer)
public macro Renamed(from names: String...) = #externalMacro(module: "TidelineMacros", type: "MarkerMacro")

/// Says what becomes of a property of an `@Entity` that a device and the server both changed, or of all properties of the
/// entity that say nothing themselves: `@OnConflict(.counter) var stock: Int`, `@OnConflict(.words, else: .ask)`.
///
/// Before a struct it stands with `@Entity`, and says what becomes of deletions too. Unless it is said, the server wins, and
/// a change wins over a deletion.
///
/// - Parameters:
///   - rule: how a value is found.
///   - fallback: what is done where the rule finds none.
@attached(peer)
public macro OnConflict(_ rule: ConflictPolicy.Rule, else fallback: ConflictPolicy.Fallback = .serverWins) =
    #externalMacro(module: "TidelineMacros", type: "MarkerMacro")

/// Fills a property of an `@Entity` with the value of an expression when the entity is read.
///
///     @Calculated("Lines/aggregate(Amount with sum)") var orderSum: EdmDecimal?
///     @Calculated("Client/ClientName") var customerName: String?
///
/// The property is an optional `var`; it is never stored and never sent, and what is assigned to it is not written.
/// Predicates and orders may name it: they stand for the expression. What is read without it, as a row that was not
/// saved, has `nil` there.
///
/// - Parameters:
///   - expression: an expression of OData over the entity and what it is related to.
///   - cached: whether an object that was read keeps the value until a commit touches what the expression reads.
@attached(peer)
public macro Calculated(_ expression: String, cached: Bool = false) =
    #externalMacro(module: "TidelineMacros", type: "MarkerMacro")

/// Says that an `@Entity` has many of another one, which refer to it.
///
///     @Entity("Orders")
///     @HasMany("Lines", of: OrderLine.self, inverse: "Order", onDelete: .cascade)
///     struct Order { ... }
///
/// The collection is a navigation property and no stored one: predicates ask for it,
/// `Order.where { $0.lines.any { $0.amount > 5 } && $0.lines.count < 10 }`.
///
/// - Parameters:
///   - name: the navigation property on the wire; in predicates its first letter is small.
///   - target: the entity of the many.
///   - inverse: the navigation property of the target's `@Reference` that leads back, on the wire.
///   - onDelete: what becomes of the many when this entity is deleted.
@attached(peer)
public macro HasMany(
    _ name: String,
    of target: Any.Type,
    inverse: String,
    onDelete: NavigationProperty.DeleteRule = .none
) = #externalMacro(module: "TidelineMacros", type: "MarkerMacro")
