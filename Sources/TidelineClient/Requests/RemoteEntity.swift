// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// An entity as a service gave it.
public struct RemoteEntity: Hashable, Sendable {
    /// The values of the columns that were asked for, in their order.
    public var values: [Value]
    /// The entity tag as it is sent back in `If-Match`, or `nil` where the service gave none.
    public var etag: String?

    public init(values: [Value], etag: String? = nil) {
        self.values = values
        self.etag = etag
    }
}
