// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What `$metadata` tells beside the model.
public struct CSDLOptions: Hashable, Sendable {
    /// Whether delta links are given: `Capabilities.ChangeTracking`.
    public var tracksChanges: Bool
    /// How many days a delta link is good for, where a limit is set.
    public var deltaRetentionInDays: Int?
    /// The longest request body in bytes, where a limit is set.
    public var maxBodyInBytes: Int?
    /// The most requests of a batch, where a limit is set.
    public var maxBatchRequests: Int?

    public init(
        tracksChanges: Bool = true,
        deltaRetentionInDays: Int? = nil,
        maxBodyInBytes: Int? = nil,
        maxBatchRequests: Int? = nil
    ) {
        self.tracksChanges = tracksChanges
        self.deltaRetentionInDays = deltaRetentionInDays
        self.maxBodyInBytes = maxBodyInBytes
        self.maxBatchRequests = maxBatchRequests
    }
}
