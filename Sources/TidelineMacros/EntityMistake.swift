// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import SwiftDiagnostics
import SwiftSyntax

/// A mistake in an entity, told where it stands in the source.
struct EntityMistake: DiagnosticMessage {
    let message: String
    let name: String

    var diagnosticID: MessageID { MessageID(domain: "Tideline", id: name) }
    var severity: DiagnosticSeverity { .error }

    private init(_ name: String, _ message: String) {
        self.name = name
        self.message = message
    }

    static let notAStruct = Self("notAStruct", "@Entity stands on a struct: entities are values.")
    static let noSetName = Self(
        "noSetName",
        "@Entity needs the name of the entity set as a plain string, as in @Entity(\"Orders\")."
    )
    static let noKey = Self("noKey", "An entity needs a key: mark one property or more with @Key.")
    static let noProperties = Self("noProperties", "An entity needs stored properties, one of them marked with @Key.")
    static let nullableKey = Self("nullableKey", "A key property cannot be optional.")
    static let severalGeneratedKeys = Self(
        "severalGeneratedKeys",
        "Only one key property can be generated, and it must be the only one."
    )
    static let severalBindings = Self("severalBindings", "Declare each property of an entity on a line of its own.")
    static let notAPlainName = Self("notAPlainName", "A property of an entity has a plain name.")
    static let localWithoutDefault = Self(
        "localWithoutDefault",
        "A @LocalOnly property is optional or has a default value: rows that come from the server do not have it."
    )
    static let localKey = Self("localKey", "A key property crosses the wire, so it cannot be @LocalOnly.")
    static let badMaxLength = Self("badMaxLength", "@MaxLength takes a whole number from 1, written as digits.")
    static let badPrecision = Self(
        "badPrecision",
        "@Precision takes digits: a precision from 1 (from 0 for times) and a scale from 0 up to the precision."
    )
    static let badReference = Self(
        "badReference",
        "@Reference takes the name of the navigation property and the entity it leads to: "
            + "@Reference(\"Client\", to: Client.self)."
    )

    static let computedWithoutDefault = Self(
        "computedWithoutDefault",
        "A @Computed property is optional or has a default value: a new entity has none until the server computes it."
    )
    static let neverComputedDefault = Self(
        "neverComputedDefault",
        "A @ComputedDefault property is optional and has no value at first: the server computes one where there is none."
    )
    static let misplacedComputedDefault = Self(
        "misplacedComputedDefault",
        "@ComputedDefault is for properties that the app may give too: no @Key, and not @Computed."
    )
    static let badCollection = Self(
        "badCollection",
        "@HasMany takes the name of the navigation property, the entity of the many, and its reference back: "
            + "@HasMany(\"Lines\", of: Line.self, inverse: \"Order\")."
    )
    static let badRange = Self(
        "badRange",
        "@Range takes a range that includes its ends: @Range(1...10), @Range(0...) or @Range(...100)."
    )
    static let reversedRange = Self("reversedRange", "The range ends before it begins.")
    static let badPattern = Self("badPattern", "@Pattern takes a regular expression as a plain string.")
    static let noAllowedValues = Self("noAllowedValues", "@AllowedValues takes one value or more.")
    static let badCalculation = Self(
        "badCalculation",
        "@Calculated takes an expression of OData as a plain string: "
            + "@Calculated(\"Lines/aggregate(Amount with sum)\")."
    )
    static let calculatedIsWritten = Self(
        "calculatedIsWritten",
        "A @Calculated property is an optional 'var' without a value: it is filled when the entity is read."
    )

    static func calculatedAndMore(_ attribute: String) -> Self {
        Self("calculatedAndMore", "A @Calculated property is never stored, so @\(attribute) says nothing of it.")
    }

    static func notStored(_ attribute: String) -> Self {
        Self("notStored", "@\(attribute) is for stored properties.")
    }

    static func sameCode(_ name: String) -> Self {
        Self("sameCode", "Predicates call two properties of this entity '\(name)'; give one of them another name.")
    }

    static func renamedToItself(_ name: String) -> Self {
        Self("renamedToItself", "'\(name)' is the present name; @Renamed gives the names from before.")
    }

    static func noRange(_ type: String) -> Self {
        Self("noRange", "@Range is for numbers, dates and times, not for '\(type)'.")
    }

    static func fractionInRange(_ type: String) -> Self {
        Self("fractionInRange", "A range of '\(type)' has whole numbers.")
    }

    static func noPattern(_ type: String) -> Self {
        Self("noPattern", "@Pattern is for String, not for '\(type)'.")
    }

    static func noType(of property: String) -> Self {
        Self(
            "noType",
            "Write the type of '\(property)': the macro sees the text of the source, not what the compiler infers."
        )
    }

    static func badName(_ name: String) -> Self {
        Self(
            "badName",
            "'\(name)' is not a name of OData: it begins with a letter or '_' and goes on with letters, digits and '_', "
                + "at most 128 characters."
        )
    }

    static func sameName(_ name: String) -> Self {
        Self("sameName", "Another property is called '\(name)' on the wire; give one of them another @Name.")
    }

    static func notGenerated(_ type: String) -> Self {
        Self("notGenerated", "The server generates integer keys (Int16, Int32, Int64, Int), not '\(type)'.")
    }

    static func noLength(_ type: String) -> Self {
        Self("noLength", "@MaxLength is for String and [UInt8], not for '\(type)'.")
    }

    static func noPrecision(_ type: String) -> Self {
        Self("noPrecision", "@Precision is for decimals and times, not for '\(type)'.")
    }
}
