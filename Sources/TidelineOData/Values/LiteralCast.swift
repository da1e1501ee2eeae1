// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// Brings a literal of a URL to the type of the property that it stands for.
package enum LiteralCast {
    /// The value in that type, or `nil` when it has no place there.
    ///
    /// Null is of no type.
    package static func cast(_ value: Value, to type: PrimitiveType) -> Value? {
        switch (value, type) {
        case (.null, _): return nil
        case (.boolean, .boolean), (.guid, .guid), (.date, .date), (.timeOfDay, .timeOfDay), (.duration, .duration),
            (.dateTimeOffset, .dateTimeOffset), (.binary, .binary), (.decimal, .decimal), (.string, .string):
            return value
        case (.integer(let number), .byte), (.integer(let number), .sbyte), (.integer(let number), .int16),
            (.integer(let number), .int32), (.integer(let number), .int64):
            return type.integerRange?.contains(number) == true ? value : nil
        case (.integer(let number), .decimal): return .decimal(EdmDecimal(coefficient: Int128(number)))
        case (.integer, .double), (.integer, .single), (.decimal, .double), (.decimal, .single):
            return Value(text: (value.text ?? ""), as: type)
        case (.double(let number), .single): return .double(Double(Float(number)))
        case (.double, .double): return value
        // 4.01: any type can be written as text.
        case (.string(let text), _): return Value(text: text, as: type)
        default: return nil
        }
    }
}
