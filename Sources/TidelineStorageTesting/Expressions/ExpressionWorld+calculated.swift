// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The calculated properties of the world: lookups, aggregates, those made of others, and some that are mistaken.
extension ExpressionWorld {
    /// The sets of the world with their calculated properties.
    static func calculating(_ sets: [EntitySet]) -> [EntitySet] {
        var sets = sets
        sets[0].type.calculatedProperties = itemCalculations
        sets[1].type.calculatedProperties = ownerCalculations
        sets[2].type.calculatedProperties = partCalculations
        return sets
    }

    private static let itemCalculations: [CalculatedProperty] = [
        calculated("OwnerName", .string, .path(["Owner", "Name"])),
        calculated("PartSum", .decimal, sum("Parts", "Weight")),
        calculated("PartCount", .int32, .count(of: ["Parts"], filter: nil, search: nil)),
        calculated("Twice", .decimal, .binary(.mul, .path(["N"]), .literal(.integer(2)))),
        calculated("Heavy", .boolean, heavy),
        calculated("OwnWords", .string, .call(.concat, [.path(["OwnerName"]), .literal(.string("!"))])),
        calculated("Loop", .int32, .path(["Ring"])),
        calculated("Ring", .int32, .binary(.add, .path(["Loop"]), .literal(.integer(1)))),
        calculated("Endless", .int32, .path(["Parent", "Endless"])),
        calculated("Wrong", .int32, .path(["Name"])),
    ]

    private static let partCalculations: [CalculatedProperty] = [
        calculated("Double", .decimal, .binary(.mul, .path(["Weight"]), .literal(.integer(2)))),
        calculated("Siblings", .int64, .path(["Item", "PartCount"])),
    ]

    private static let ownerCalculations: [CalculatedProperty] = [
        calculated(
            "Heaviest",
            .decimal,
            .aggregate(over: ["Items"], [AggregateItem(.expression(.path(["PartSum"])), with: .max)])
        )
    ]

    private static let heavy = Expression.lambda(
        .any,
        over: ["Parts"],
        variable: "p",
        .binary(.greaterThan, .path(["p", "Weight"]), .path(["N"]))
    )

    private static func sum(_ collection: String, _ name: String) -> Expression {
        .aggregate(over: [collection], [AggregateItem(.expression(.path([name])), with: .sum)])
    }

    private static func calculated(
        _ name: String,
        _ type: PrimitiveType,
        _ expression: Expression
    ) -> CalculatedProperty {
        CalculatedProperty(names: Names(wire: name), type: type, expression: expression)
    }
}
