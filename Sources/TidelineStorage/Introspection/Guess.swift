// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a scan decides only where it is asked to: names and constraints suggest it, but do not say it.
public enum Guess: String, Hashable, Sendable, CaseIterable {
    /// A table that holds nothing but the values of one other table's rows is a collection property of these.
    case collections
    /// At least three columns with one prefix (`ship_street`, `ship_city`, `ship_zip`) are a complex property.
    case complex
    /// The values of a column whose CHECK lists them are derived types, where other CHECKs tie columns to them.
    case derived
    /// A column of JSON whose values are all arrays is a collection; one of objects holds dynamic properties.
    case json
    /// A column named for it that a trigger changes with every update is the row's version, and so its ETag.
    case versions
}
