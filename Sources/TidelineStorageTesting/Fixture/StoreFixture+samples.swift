// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension StoreFixture {
    /// Each primitive type in a nullable column; the column of `Edm.Int16` is `an_int16`.
    static let samples = EntitySet(
        names: Names(wire: "Samples", database: "samples"),
        type: EntityType(
            names: Names(wire: "Sample"),
            properties: [
                property("Id", "id", .int64, isNullable: false),
                property("Binary", "a_binary", .binary),
                property("Boolean", "a_boolean", .boolean),
                property("Byte", "a_byte", .byte),
                property("Date", "a_date", .date),
                property("DateTimeOffset", "a_moment", .dateTimeOffset, precision: 3),
                property("Decimal", "a_decimal", .decimal, precision: 14, scale: 4),
                property("Double", "a_double", .double),
                property("Duration", "a_duration", .duration),
                property("Guid", "a_guid", .guid),
                property("Int16", "an_int16", .int16),
                property("Int32", "an_int32", .int32),
                property("Int64", "an_int64", .int64),
                property("SByte", "an_sbyte", .sbyte),
                property("Single", "a_single", .single),
                property("String", "a_string", .string),
                property("TimeOfDay", "a_time", .timeOfDay, precision: 3),
            ],
            key: [0]
        )
    )

    /// The view of large orders.
    static let bigOrders = EntitySet(
        names: Names(wire: "BigOrders", database: "big_orders"),
        type: EntityType(
            names: Names(wire: "BigOrder"),
            properties: [
                property("Id", "id", .int32, isNullable: false),
                property("Number", "number", .string, maxLength: 20),
                property("Total", "total", .decimal, isNullable: false, precision: 10, scale: 2),
            ],
            key: [0]
        ),
        isReadOnly: true
    )
}
