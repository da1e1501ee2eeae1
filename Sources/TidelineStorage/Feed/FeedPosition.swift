// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A place in a store's change log, opaque to all but the store: it orders nothing and is compared only for equality.
///
/// It names the epoch of the log and the newest entry seen, so that a restored backup or a log begun anew is noticed.
public struct FeedPosition: Hashable, Sendable {
    public let bytes: [UInt8]

    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}
