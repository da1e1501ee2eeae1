// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension Expression {
    /// `path operator value`, the path with slashes.
    static func compare(_ path: String, _ name: BinaryOperator, _ value: Value) -> Expression {
        .binary(name, .names(path), .literal(value))
    }

    /// A path with slashes.
    static func names(_ path: String) -> Expression { .path(path.split(separator: "/").map(String.init)) }
}

extension Value {
    /// A decimal by its text.
    static func number(_ text: String) -> Value { EdmDecimal(text).map(Value.decimal) ?? .null }

    /// A GUID by its text.
    static func guid(text: String) -> Value { GUID(text).map(Value.guid) ?? .null }
}
