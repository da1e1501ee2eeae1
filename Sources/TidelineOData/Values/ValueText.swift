// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// The one place where this target turns text into values and back.
package enum ValueText {
    /// The value of a type that `text` stands for, or `nil` when it is not of that type. No quotes, no prefixes.
    package static func parse(_ text: String, as type: PrimitiveType) -> Value? { Value(text: text, as: type) }

    /// The canonical text of a value; the empty text for null.
    package static func print(_ value: Value) -> String { value.text ?? "" }
}
