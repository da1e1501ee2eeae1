// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// What differs between the databases that compiled SQL runs on.
///
/// The compiler is one: it asks here for every piece of SQL that is not the same on all of them.
package protocol SQLDialect: Sendable {
    /// Appends parameter `number`, counted from 1, that holds a value: `?1`, `$1::bigint`.
    func appendParameter(_ number: Int, for value: SQLValue, to text: inout [UInt8])
    /// What stands for a value of the row outside, counted from 0: a parameter that each run gives a value, or a column.
    func outer(_ index: Int) -> String
    /// A table by its name in the model.
    func table(named name: String) -> SQLFragment
    /// The column of a property, of a table with an alias, as it is read and compared.
    func column(_ property: Property, in set: EntitySet, of alias: String) -> SQLFragment
    /// Where a constant stands among the values that a column can hold.
    func bound(_ value: Value, of property: Property) -> StoredBound
    /// A stored column as a computed value.
    func computed(_ column: SQLFragment, _ property: Property) -> SQLFragment
    /// A computed constant of a type; `nil` for the type of null.
    func constant(_ value: Value, _ type: PrimitiveType?) -> SQLFragment
    /// A part of a stored date or moment, the fraction of its second excepted; `nil` where it must be computed first.
    func clockPart(_ function: Expression.Function, of column: SQLFragment, _ property: Property) -> SQLFragment?
    /// Not-a-number, where columns hold it: greater than all numbers and equal to itself; `nil` where none does.
    var notANumber: SQLFragment? { get }
    /// Whether stored values order as the typed values do.
    func comparesAsStored(_ property: Property) -> Bool
    /// Equality where null equals null: never null itself.
    func same(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment
    /// The opposite of ``same(_:_:)``.
    func different(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment
    /// Text that compares by its UTF-8 bytes.
    func binaryText(_ text: SQLFragment) -> SQLFragment
    /// A column of text that is asked for equality alone, so that its index serves.
    func equalText(_ column: SQLFragment) -> SQLFragment
    /// Decimals, in the form of computed values, that compare by number.
    func decimalText(_ text: SQLFragment) -> SQLFragment
    /// True or false as a value.
    func truth(_ value: Bool) -> SQLFragment
    /// A call of one of the functions that compiled SQL relies on.
    func call(_ function: SQLFunction, _ arguments: [SQLFragment]) -> SQLFragment
    /// An operation on computed floating-point numbers.
    func realArithmetic(_ name: Expression.BinaryOperator, _ left: SQLFragment, _ right: SQLFragment) -> SQLFragment
    /// The remainder of computed integers; null for a divisor of zero.
    func remainder(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment
    /// The quotient of computed integers that are far from overflowing; null for a divisor of zero.
    func smallQuotient(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment
    /// The place of a text in another, from 1; 0 when it is not there.
    func place(of part: SQLFragment, in text: SQLFragment) -> SQLFragment
    /// A computed integer as a floating-point number.
    func real(_ integer: SQLFragment) -> SQLFragment
    /// Digits as an integer.
    func integer(_ digits: SQLFragment) -> SQLFragment
    /// The moment of the statement as text of fixed width, nine digits after the point.
    var now: SQLFragment { get }
    /// Whether the full-text index of a table has a row with words side by side; `nil` where there is none.
    func indexed(_ words: [String], in set: EntitySet, of alias: String) -> SQLFragment?
    /// Whether a text matches a pattern of ``TidelineModel/Pattern``.
    func matches(_ text: SQLFragment, _ pattern: String) -> SQLFragment
    /// A computed value of one type as one of another; null where ``TidelineModel/Casting`` gives none.
    func cast(_ value: SQLFragment, from source: PrimitiveType, to target: PrimitiveType) -> SQLFragment
    /// The value in JSON text that the members lead to, in the form of computed values of a type; null for another.
    func jsonValue(_ json: SQLFragment, at names: [String], as type: PrimitiveType) -> SQLFragment
    /// The JSON text in JSON text that the members lead to; null for JSON's null.
    func jsonText(_ json: SQLFragment, at names: [String]) -> SQLFragment
    /// What to read the items of a JSON array from: no rows for null and for what is no array.
    func elements(of array: SQLFragment, as alias: String) -> SQLFragment
    /// The JSON text of the item at hand of ``elements(of:as:)``.
    func element(of array: SQLFragment, as alias: String) -> SQLFragment
    /// The JSON text of the item at a place of a JSON array, from the end where negative; null where there is none.
    func item(of array: SQLFragment, at place: Int) -> SQLFragment
    /// Text as a string of JSON; null, or JSON's null, for null.
    func quotedJSON(_ text: SQLFragment) -> SQLFragment
    /// A stored column of text, or of a member's name, as text.
    func text(_ column: SQLFragment, _ property: Property) -> SQLFragment
    /// A JSON array of the items of a query, which are JSON text, in an order, or in that of the query.
    func list(
        of item: SQLFragment,
        from source: SQLFragment,
        where condition: SQLFragment,
        order: [SQLFragment]
    ) -> SQLFragment
    /// A JSON array of key values of a group of rows; of none an empty one.
    func keys(_ value: SQLFragment) -> SQLFragment
    /// How the calls of functions in expressions become queries; `nil` where there are none.
    var functions: FunctionQueries? { get }
    /// One key of an order, nulls before all values when ascending and after them when descending.
    func orderTerm(_ term: SQLFragment, isDescending: Bool, isNullable: Bool) -> SQLFragment
    /// One SELECT of its parts.
    func select(_ parts: SelectParts) -> SQLFragment
    /// The sum of computed numbers or durations; null where it leaves its type.
    func sum(_ value: SQLFragment, _ type: PrimitiveType) -> SQLFragment
    /// The average of computed numbers: a decimal of exact ones.
    func average(_ value: SQLFragment, _ type: PrimitiveType) -> SQLFragment
    /// The end of a statement that passes over rows and then takes at most so many.
    func limit(_ count: Int?, skip: Int) -> SQLFragment
    /// The end of a subquery that no condition from outside is moved into.
    var barrier: SQLFragment { get }
}

extension SQLDialect {
    /// The text of parameter `number`, counted from 1, that holds a value.
    package func placeholder(_ number: Int, for value: SQLValue) -> String {
        var text: [UInt8] = []
        appendParameter(number, for: value, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends a mark and the number of a parameter.
    func append(_ mark: Unicode.Scalar, _ number: Int, to text: inout [UInt8]) {
        text.append(UInt8(ascii: mark))
        if number < 10 {
            text.append(UInt8(ascii: "0") + UInt8(number))
        } else {
            text.append(contentsOf: String(number).utf8)
        }
    }

    /// The table of an entity set.
    package func table(_ set: EntitySet) -> SQLFragment { table(named: set.names.database) }

    /// Arithmetic of two computed numbers of one type; null on overflow and division by zero.
    ///
    /// Decimals and integers that may overflow have functions; integers that cannot are left to the database.
    ///
    /// - Parameter isSmall: whether both certainly fit 32 bits.
    func arithmetic(
        _ name: Expression.BinaryOperator,
        _ left: SQLFragment,
        _ right: SQLFragment,
        _ type: PrimitiveType,
        isSmall: Bool
    ) -> SQLFragment {
        switch (type, name) {
        case (.decimal, .add): call(.decimalAdd, [left, right])
        case (.decimal, .sub): call(.decimalSubtract, [left, right])
        case (.decimal, .mul): call(.decimalMultiply, [left, right])
        case (.decimal, .mod): call(.decimalRemainder, [left, right])
        case (.decimal, _): call(.decimalDivide, [left, right])
        case (.double, _), (.single, _): realArithmetic(name, left, right)
        case (_, .add): isSmall ? "(\(left) + \(right))" : call(.add, [left, right])
        case (_, .sub): isSmall ? "(\(left) - \(right))" : call(.subtract, [left, right])
        case (_, .mul): isSmall ? "(\(left) * \(right))" : call(.multiply, [left, right])
        case (_, .mod): remainder(left, right)
        default: isSmall ? smallQuotient(left, right) : call(.divide, [left, right])
        }
    }
}
