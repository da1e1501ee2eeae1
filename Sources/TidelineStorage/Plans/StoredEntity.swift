// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// One entity as the store holds it: all its values and its version.
public struct StoredEntity: Hashable, Sendable {
    /// The values, in the order of the entity type's properties.
    public var values: [Value]
    public var etag: ETag

    public init(values: [Value], etag: ETag) {
        self.values = values
        self.etag = etag
    }
}
