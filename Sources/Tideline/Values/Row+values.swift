// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineStore

extension Row {
    /// Sets a property to a Swift value: `try row.set("Total", to: 12.5 as EdmDecimal)`; `nil` is null.
    ///
    /// - Throws: as ``set(_:to:)`` with a value of the model.
    public mutating func set<Content: PropertyValue>(_ name: String, to value: Content?) throws(LocalStoreError) {
        try set(name, to: value?.edmValue ?? .null)
    }
}
