// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

extension EdmDecimal: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    public init(integerLiteral value: Int64) {
        self.init(coefficient: Int128(value))
    }

    /// The shortest decimal that the literal's `Double` stands for: `19.90` is exactly 19.9.
    public init(floatLiteral value: Double) {
        guard let decimal = EdmDecimal(shortest: value) else {
            preconditionFailure("A decimal literal has at most 38 digits and is finite.")
        }
        self = decimal
    }
}
