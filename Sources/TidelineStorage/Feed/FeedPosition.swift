// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A place in a store's change log, opaque to all but the store, save its epoch: it orders nothing and is compared only
/// for equality.
///
/// Its bytes are one of the store's own, the 16 of the epoch, and what the store needs beside.
///
/// It names the epoch of the log and the newest entry seen, so that a restored backup or a log begun anew is noticed.
public struct FeedPosition: Hashable, Sendable {
    public let bytes: [UInt8]

    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The epoch of the log as text: another one after a restore, and where changes may have passed the log unseen.
    package var epoch: String {
        bytes.dropFirst().prefix(16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
