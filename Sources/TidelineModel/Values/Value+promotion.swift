// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension Value {
    /// The value in the family of a type: itself, or a number promoted without loss; `nil` when there is no such value.
    ///
    /// Integers become decimals or floating-point numbers, decimals floating-point numbers (the nearest), dates moments
    /// at midnight UTC. Null stays null. Ranges within a family are not checked.
    public func promoted(to type: PrimitiveType) -> Value? {
        switch (self, type) {
        case (.null, _), (.boolean, .boolean), (.string, .string), (.binary, .binary), (.guid, .guid), (.date, .date),
            (.timeOfDay, .timeOfDay), (.dateTimeOffset, .dateTimeOffset), (.duration, .duration),
            (.decimal, .decimal), (.double, .double), (.double, .single):
            self
        case (.integer, _) where type.integerRange != nil: self
        case (.integer(let number), .decimal): .decimal(EdmDecimal(coefficient: Int128(number)))
        case (.integer(let number), .double), (.integer(let number), .single): .double(Double(number))
        case (.decimal(let number), .double), (.decimal(let number), .single): .double(number.double)
        case (.geography, _) where type.isSpatial: self
        case (.date(let date), .dateTimeOffset): .dateTimeOffset(DateTimeOffset(date: date))
        default: nil
        }
    }
}
