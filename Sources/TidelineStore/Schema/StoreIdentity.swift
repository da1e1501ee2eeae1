// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// Who a store is to its server.
package struct StoreIdentity: Hashable, Sendable {
    /// The client's identifier: new for each file, also for each copy of a file.
    package var clientID: GUID
    /// The identifier before a copy was noticed, or `nil`.
    ///
    /// What it sent may have been decided.
    package var previousClientID: GUID?
    /// Changes whenever groups are sent, so that a copy of the file is noticed.
    package var nonce: GUID
    package var origin: StoreOrigin?
    /// The transaction number up to which all answers are stored.
    package var acknowledged: Int64
}
