// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineClient
import TidelineOData
import TidelineStore

/// What the service takes, as its metadata says it.
extension SyncRun {
    /// The version of payloads; asked for once and kept with the store.
    ///
    /// Source: OData Protocol 4.01, section 13.3, item 16.
    func payloadVersion() async throws -> ODataVersion {
        if let known { return known }
        if let kept = try await identity().payloadVersion.flatMap(ODataVersion.init(rawValue:)) {
            known = kept
            return kept
        }
        return try await askedVersion()
    }

    /// Makes sure that changes can be sent: they travel in a batch of 4.01.
    func checkPayloads() async throws {
        // A service may have become newer since it was asked.
        guard try await payloadVersion() == .v40, try await askedVersion() == .v40 else { return }
        throw SyncError(
            .olderProtocol,
            "The service does not say that it takes OData 4.01, in which changes are sent; nothing was sent.",
            advice: "The changes are kept here. Ask the administrator whether the service speaks 4.01."
        )
    }

    private func askedVersion() async throws -> ODataVersion {
        pull.seen = nil
        let version = try await client.metadata().payloadVersion
        try await store.perform { try $0.setPayloadVersion(version.rawValue) }
        known = version
        return version
    }
}
