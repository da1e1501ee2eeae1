// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// A local transaction whose outcome on the server is not known yet.
package struct PendingTransaction: Hashable, Sendable {
    /// Grows in the order of commits; never used again in this store.
    package var number: Int64
    /// The exact bytes that were sent, once ``LocalStore/freeze(_:)`` has kept them.
    package var frozen: FrozenGroup?
    /// The changes in the order in which they were made.
    package var changes: [PendingChange]
}

/// The group of a transaction as it was sent: an identifier belongs to exact bytes.
package struct FrozenGroup: Hashable, Sendable {
    package var number: Int64
    package var requestID: GUID
    package var bytes: [UInt8]

    package init(number: Int64, requestID: GUID, bytes: [UInt8]) {
        self.number = number
        self.requestID = requestID
        self.bytes = bytes
    }
}
