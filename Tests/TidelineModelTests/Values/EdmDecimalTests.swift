// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

struct EdmDecimalTests {
    private func decimal(_ text: String) throws -> EdmDecimal { try #require(EdmDecimal(text), "\(text)") }

    @Test(arguments: [
        ("0.1", "0.2", "0.3"), ("1", "-1.00", "0"),
        ("99999999999999999999999999999999999999", "0.4", "99999999999999999999999999999999999999"),
        ("-5", "12.345", "7.345"),
    ])
    func `sums are exact where 38 digits hold them`(left: String, right: String, sum: String) throws {
        #expect(try (decimal(left) + decimal(right))?.text == sum)
    }

    @Test func `what has more than 38 digits before the point is no value`() throws {
        let largest = try decimal("99999999999999999999999999999999999999")
        let one = try decimal("1")
        let ten = try decimal("10")
        #expect(largest + one == nil)
        #expect(largest * ten == nil)
        #expect(one / EdmDecimal(coefficient: 0) == nil)
        #expect(one % EdmDecimal(coefficient: 0) == nil)
    }

    @Test(arguments: [
        ("1.5", "1.5", "2.25"), ("-2", "0.5", "-1"),
        (
            "1.0000000000000000000000000000000000001", "1.0000000000000000000000000000000000001",
            "1.0000000000000000000000000000000000002"
        ),
        ("12345678901234567890", "12345678901234567.89", "152415787532388367501905199875019052.1"),
    ])
    func `products round half away from zero at 38 digits`(left: String, right: String, product: String) throws {
        #expect(try (decimal(left) * decimal(right))?.text == product)
    }

    @Test(arguments: [
        ("1", "3", "0.33333333333333333333"), ("2", "3", "0.66666666666666666667"),
        ("-2", "3", "-0.66666666666666666667"),
        ("5", "2", "2.5"), ("1", "0.00000000000000000000000000000000000001", "100000000000000000000000000000000000000"),
        ("0.00000000000000000000000000000000000001", "3", "0"), ("10", "0.5", "20"),
    ])
    func `quotients have at most 20 digits after the point`(left: String, right: String, quotient: String) throws {
        let value = try decimal(left) / decimal(right)
        // 10³⁸ has 39 digits.
        #expect(value?.text == (quotient.count > 38 ? nil : quotient))
    }

    @Test(arguments: [("7", "3", "1"), ("-7", "3", "-1"), ("5.5", "2", "1.5"), ("1", "0.3", "0.1"), ("1", "7.25", "1")])
    func `a remainder has the sign of the left side`(left: String, right: String, rest: String) throws {
        #expect(try (decimal(left) % decimal(right))?.text == rest)
    }

    @Test(arguments: [
        ("2.5", "3", "2", "3"), ("-2.5", "-3", "-3", "-2"), ("2.4", "2", "2", "3"), ("-0.5", "-1", "-1", "0"),
        ("7", "7", "7", "7"),
    ])
    func `rounding is half away from zero`(text: String, round: String, floor: String, ceiling: String) throws {
        let value = try decimal(text)
        #expect(value.rounded().text == round)
        #expect(value.rounded(toPlaces: 0, .down).text == floor)
        #expect(value.rounded(toPlaces: 0, .up).text == ceiling)
    }

    @Test(arguments: [
        ("1.50", "1.5", 0), ("1", "2", -1), ("-1", "0.5", -1),
        ("0.00000000000000000000000000000000000001", "99999999999999999999999999999999999999", -1),
        ("-99999999999999999999999999999999999999", "-0.00000000000000000000000000000000000001", -1), ("10", "9.99", 1),
    ])
    func `order is that of the numbers at any scale`(left: String, right: String, order: Int) throws {
        #expect(try EdmDecimal.compare(decimal(left), decimal(right)) == order)
        #expect(try EdmDecimal.compare(decimal(right), decimal(left)) == -order)
    }

    @Test(arguments: [
        (0.1, "0.1"), (0.1 + 0.2, "0.3"), (1e15, "1000000000000000"), (123456.789, "123456.789"), (-2.5, "-2.5"),
        (0, "0"),
    ])
    func `a floating-point number is read as the decimal of its first 15 digits`(value: Double, text: String) {
        #expect(EdmDecimal(real: value)?.text == text)
    }
}
