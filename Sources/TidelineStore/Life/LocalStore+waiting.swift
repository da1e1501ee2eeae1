// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// What waits to be sent, and what it means to give it up.
extension LocalStore {
    /// The changes that no server has: those of the outbox, then those in quarantine, each in their order.
    public func waitingChanges() throws -> [Change] { try reading { try LocalStore.waitingChanges($0) } }

    static func waitingChanges(_ connection: Connection) throws -> [Change] {
        let log = try PendingLog.load(connection)
        let quarantine = try Quarantine.load(connection)
        return (log.entries.flatMap(\.changes) + quarantine.flatMap(\.changes)).map { $0.change(connection.layout) }
    }

    /// Gives the store another client identity; nothing is known of what the old one sent.
    func takeNewIdentity(_ origin: StoreOrigin?) throws {
        try writing(durably: true) { connection in
            try LocalStore.renewIdentity(connection)
            if let origin {
                try connection.setMeta("service_url", origin.serviceURL)
                try connection.setMeta("user_name", origin.userName)
            }
            return ((), [])
        }
    }

    /// The settings of what waits: up to where it was sent and answered, and in which order the rest has to be.
    static let waitingSettings = [
        "handed_out", "last_settled", TransactionMarks.unmet, TransactionMarks.failures, "epoch", SendingOrder.name,
    ]

    static func renewIdentity(_ connection: Connection) throws {
        var random = SystemRandomNumberGenerator()
        for name in ["client_id", "nonce"] {
            try connection.setMeta(name, GUID(high: random.next(), low: random.next()).text)
        }
        for name in ["previous_client_id", "inherited", "is_noted"] { try connection.setMeta(name, nil) }
        try connection.expectMade()
    }
}

extension LocalStoreError {
    /// The refusal to lose changes.
    static func waiting(_ changes: [Change], _ who: String, _ advice: String) -> LocalStoreError {
        let count = changes.count == 1 ? "1 change that was" : "\(changes.count) changes that were"
        var error = LocalStoreError(.pendingChanges, message: "\(who) \(count) not sent. \(advice)")
        error.changes = changes
        return error
    }
}
