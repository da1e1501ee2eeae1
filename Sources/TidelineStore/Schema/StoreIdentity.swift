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
    /// Transactions that waited when a copy was noticed keep the identity that they were made under, so that they take
    /// effect once though two copies of the file send them; in the order of their numbers.
    package var inherited: [Inherited] = []
    /// Changes whenever groups are sent, so that a copy of the file is noticed.
    package var nonce: GUID
    /// Whether it is looked at each opening whether the file is a copy: if not, an older copy that was put back may give
    /// numbers that were used to other transactions.
    package var noticesCopies = false
    package var origin: StoreOrigin?
    /// The transaction number up to which all answers are stored.
    package var acknowledged: Int64
    /// The epoch of the service's record of changes, as it was told last.
    package var epoch: String?
    /// What was known of the service when transactions were made.
    package var positions: KnownPositions
    /// The version of the payloads that the service takes, or `nil` before it was asked.
    package var payloadVersion: String?
    /// How often the whole content was replaced, by a reset or an import, or the store moved to another address.
    ///
    /// What was asked of a server for one content says nothing of the next: its transactions may have the same numbers,
    /// and its delta links another beginning.
    package var content: Int64 = 0

    /// The transactions up to a number that were made under an earlier identity.
    package struct Inherited: Hashable, Sendable {
        package var clientID: GUID
        package var through: Int64

        package init(clientID: GUID, through: Int64) {
            self.clientID = clientID
            self.through = through
        }
    }

    /// The client that a transaction is sent as.
    package func clientID(of number: Int64) -> GUID {
        inherited.first { number <= $0.through }?.clientID ?? clientID
    }
}

extension StoreIdentity.Inherited {
    /// The ranges as the file keeps them: `client:number`, with spaces between.
    static func text(_ ranges: [StoreIdentity.Inherited]) -> String {
        ranges.map { "\($0.clientID.text):\($0.through)" }.joined(separator: " ")
    }

    static func read(_ text: String) -> [StoreIdentity.Inherited] {
        text.split(separator: " ").compactMap { part in
            let parts = part.split(separator: ":").map(String.init)
            guard parts.count == 2, let client = GUID(parts[0]), let through = Int64(parts[1]) else { return nil }
            return StoreIdentity.Inherited(clientID: client, through: through)
        }
    }
}
