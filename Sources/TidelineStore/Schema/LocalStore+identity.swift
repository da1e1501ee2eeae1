// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineSQLite

/// Who the store is, and to which service and user it belongs.
extension LocalStore {
    /// Makes sure that the file which is open is the one that others find at its place.
    ///
    /// - Throws: ``LocalStoreError``: `foreignFile`.
    package func checkPlace() throws {
        guard let file, !file.isInPlace else { return }
        throw LocalStoreError(
            .foreignFile,
            message: "The store's file was moved or removed, or another one was put in its place, while it was open."
        )
    }

    /// Who this store is to its server.
    ///
    /// A copied file is noticed when the store is opened.
    package func identity() throws -> StoreIdentity { try reading { try identity($0) } }

    func identity(_ connection: Connection) throws -> StoreIdentity {
        let metas = try connection.metas()
        guard let client = metas["client_id"].flatMap({ GUID($0) }),
            let nonce = metas["nonce"].flatMap({ GUID($0) })
        else { throw LocalStoreError(.corrupt, message: "The store's file holds no identity.") }
        let origin = metas["service_url"].map { StoreOrigin(serviceURL: $0, userName: metas["user_name"]) }
        let firstSent = try connection.query("SELECT MIN(number) FROM main.tideline_sent") {
            $0.isNull(0) ? nil : $0.integer(0)
        }
        let settled = Int64(metas["last_settled"] ?? "0") ?? 0
        let acknowledged = min(settled, (firstSent.first ?? nil).map { $0 - 1 } ?? .max)
        return StoreIdentity(
            clientID: client,
            previousClientID: metas["previous_client_id"].flatMap { GUID($0) },
            inherited: StoreIdentity.Inherited.read(metas["inherited"] ?? ""),
            nonce: nonce,
            noticesCopies: settings.identityFolder != nil,
            origin: origin,
            acknowledged: acknowledged,
            epoch: metas["epoch"],
            positions: KnownPositions(metas[KnownPositions.setting]),
            payloadVersion: metas["payload_version"],
            content: metas["content"].flatMap { Int64($0) } ?? 0
        )
    }

    /// Keeps what the service takes.
    package func setPayloadVersion(_ version: String) throws {
        try writing { connection in
            try connection.setMeta("payload_version", version)
            return ((), [])
        }
    }

    /// Makes a store of nobody's one of a user.
    ///
    /// - Returns: whose it is: another user may have been faster.
    package func takeUser(_ name: String) throws -> String {
        try writing { connection in
            if let owner = try connection.meta("user_name") { return (owner, []) }
            try connection.setMeta("user_name", name)
            return (name, [])
        }
    }
}
