// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

extension CheckRules {
    /// Narrows a property to the limits of its column; what does not fit its type is passed over.
    ///
    /// - Parameters:
    ///   - isReference: whether it is part of the key or of a foreign key, and so keeps its type.
    ///   - hasBooleans: whether the database has a type for truth; else 0 and 1 stand for it.
    /// - Returns: what was found, as the end of a sentence, or `nil`.
    package func apply(to property: inout Property, isReference: Bool, hasBooleans: Bool) -> String? {
        guard let limits = self[property.names.database], property.structure == nil else { return nil }
        var found: [String] = []
        if let length = limits.maxLength, [.string, .binary].contains(property.type) {
            property.maxLength = min(property.maxLength ?? length, length)
            found.append("at most \(length) long")
        }
        if let texts = limits.texts, property.type == .string, !isReference {
            property.allowedValues = texts.map(Value.string)
            found.append("one of \(texts.joined(separator: ", "))")
        }
        // A fraction may lie above `> 0` and below 1, so only whole numbers have these limits.
        guard let range = property.type.integerRange else {
            return found.isEmpty ? nil : found.joined(separator: " and ")
        }
        if let integers = limits.integers, !isReference {
            if Set(integers) == [0, 1], !hasBooleans, property.storage == .native, property.generation == .none {
                property.type = .boolean
                if case .integer(let number)? = property.defaultValue { property.defaultValue = .boolean(number == 1) }
                return "true or false, held as 1 and 0"
            }
            if integers.allSatisfy(range.contains) {
                property.allowedValues = integers.map(Value.integer)
                found.append("one of \(integers.map(String.init).joined(separator: ", "))")
            }
        }
        if let low = limits.low, range.contains(low) {
            property.minimum = .integer(low)
            found.append("at least \(low)")
        }
        if let high = limits.high, range.contains(high) {
            property.maximum = .integer(high)
            found.append("at most \(high)")
        }
        return found.isEmpty ? nil : found.joined(separator: " and ")
    }
}
