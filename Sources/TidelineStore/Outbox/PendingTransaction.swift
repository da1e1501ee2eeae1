// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// A local transaction whose outcome on the server is not known yet.
package struct PendingTransaction: Hashable, Sendable {
    /// Grows in the order of commits; never used again in this store.
    package var number: Int64
    /// The exact bytes that were sent, once ``LocalStore/freeze(_:of:after:content:)`` has kept them.
    package var frozen: FrozenGroup?
    /// The changes in the order in which they were made.
    package var changes: [PendingChange]
    /// The numbers of waiting transactions that it comes after, though its changes do not say so any more.
    package var earlier: Set<Int64> = []
    /// How often in a row the service failed of it, at its limit of time or otherwise.
    package var failures = 0

    /// The numbers of the waiting transactions that this one builds on, directly.
    package var dependencies: Set<Int64> {
        var numbers = earlier
        for change in changes {
            if let previous = change.previous { numbers.insert(previous.number) }
            for reference in change.temporaryReferences { numbers.insert(reference.target.number) }
            for other in change.earlierInserts + change.earlierMoves { numbers.insert(other.number) }
        }
        numbers.remove(number)
        return numbers
    }
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

    /// All that are frozen, by their numbers.
    static func all(_ connection: Connection) throws -> [Int64: FrozenGroup] {
        var frozen: [Int64: FrozenGroup] = [:]
        for (number, request, bytes) in try connection.query(
            "SELECT number, request, bytes FROM main.tideline_sent",
            { _ in },
            { ($0.integer(0), $0.bytes(1), $0.bytes(2)) }
        ) {
            guard let id = GUID(bytes: request.span) else { continue }
            frozen[number] = FrozenGroup(number: number, requestID: id, bytes: bytes)
        }
        return frozen
    }
}
