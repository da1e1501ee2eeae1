// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

struct PropertyCheckTests {
    private func property(
        _ type: PrimitiveType,
        nullable: Bool = true,
        length: Int? = nil,
        precision: Int? = nil,
        scale: Int? = nil
    ) -> Property {
        Property(
            names: Names(wire: "P"),
            type: type,
            isNullable: nullable,
            maxLength: length,
            precision: precision,
            scale: scale
        )
    }

    private func code(_ property: Property, _ value: Value) -> ValueError.Code? {
        do {
            _ = try property.check(value)
            return nil
        } catch {
            #expect(error.property == "P")
            return error.code
        }
    }

    @Test func `each rule has its code`() {
        #expect(code(property(.string, nullable: false), .null) == .null)
        #expect(code(property(.string), .integer(1)) == .wrongType)
        #expect(code(property(.int16), .integer(32_768)) == .outOfRange)
        #expect(code(property(.string, length: 3), .string("äöü")) == nil)
        #expect(code(property(.string, length: 3), .string("äöüx")) == .tooLong)
        #expect(code(property(.binary, length: 1), .binary([1, 2])) == .tooLong)
        #expect(code(property(.string), .string("a\0")) == .nullCharacter)
        #expect(code(property(.single), .double(1e300)) == .outOfRange)
        #expect(
            code(property(.dateTimeOffset, precision: 0), .dateTimeOffset(DateTimeOffset(seconds: 0, nanoseconds: 1)))
                == .tooManyPlaces
        )
    }

    @Test(
        arguments: [
            ("999.99", nil), ("1000", .tooManyDigits), ("0.125", .tooManyPlaces), ("0.10000", nil), ("-999.99", nil),
        ] as [(String, ValueError.Code?)]
    )
    func `a decimal keeps to precision and scale`(text: String, code: ValueError.Code?) throws {
        let number = try #require(EdmDecimal(text))
        #expect(self.code(property(.decimal, precision: 5, scale: 2), .decimal(number)) == code)
    }

    @Test func `an integer becomes what the property holds`() throws {
        #expect(try property(.decimal).check(.integer(5)) == .decimal(EdmDecimal(coefficient: 5)))
        #expect(try property(.double).check(.integer(5)) == .double(5))
    }
}
