// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The key of an entity: the values of its key properties, in key order.
public struct Key: Hashable, Sendable {
    public var values: [Value]

    public init(_ values: [Value]) {
        self.values = values
    }
}
