// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension Property {
    /// All rules that a value breaks: those of ``check(_:)``, then least and greatest value, pattern, allowed values.
    ///
    /// A pattern speaks of texts, and matches where any part of the text does; null breaks no rule but `Nullable`.
    /// Source: OData vocabulary Validation V1, terms `Minimum`, `Maximum`, `Pattern`, `AllowedValues`.
    public func violations(of value: Value) -> [ValueError] {
        var found: [ValueError] = []
        do throws(ValueError) {
            _ = try check(value)
        } catch {
            found.append(error)
            if !error.isRule { return found }
        }
        guard value != .null else { return found }
        func add(_ code: ValueError.Code, _ what: String) {
            found.append(ValueError(code, property: names.wire, message: "The value of '\(names.wire)' \(what)."))
        }
        if let least = minimum, let order = Value.compare(value, least), order < 0 {
            add(.belowMinimum, "is less than \(least.text ?? "it may be")")
        }
        if let greatest = maximum, let order = Value.compare(value, greatest), order > 0 {
            add(.aboveMaximum, "is greater than \(greatest.text ?? "it may be")")
        }
        if let pattern, case .string(let text) = value, Pattern.compiled(pattern)?.matches(text) == false {
            add(.noMatch, "does not match the pattern \(pattern)")
        }
        if !allowedValues.isEmpty, !allowedValues.contains(where: { Value.compare(value, $0) == 0 }) {
            let texts = allowedValues.prefix(20).map { $0.text ?? "null" }.joined(separator: ", ")
            add(.notAllowed, "is none of \(texts)")
        }
        return found
    }
}
