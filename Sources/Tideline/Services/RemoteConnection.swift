// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TidelineClient
import TidelineModel
import TidelineOData
import TidelineStore

/// A service with its metadata, which is asked for at the first call that needs it.
final class RemoteConnection: Sendable {
    /// What the service said of itself.
    struct Metadata: Sendable {
        var model: EntityModel
        var version: ODataVersion
    }

    let client: ODataClient
    private let known = Mutex<Metadata?>(nil)
    /// What was read of the entities of each type, whichever service object read it.
    private let versions = Mutex<[ObjectIdentifier: SeenVersions]>([:])

    init(_ client: ODataClient) { self.client = client }

    /// The versions of a type's entities as they were read last.
    func seen<Element: Queryable>(of type: Element.Type) -> SeenVersions {
        versions.withLock { versions in
            if let seen = versions[ObjectIdentifier(type)] { return seen }
            let seen = SeenVersions()
            versions[ObjectIdentifier(type)] = seen
            return seen
        }
    }

    /// The metadata; calls that come while nobody has it yet each ask for themselves, and a failure is not kept.
    func metadata() async throws -> Metadata {
        if let known = known.withLock(\.self) { return known }
        let read = try await client.metadata()
        let metadata = Metadata(model: try read.model.asOnDevice(), version: read.payloadVersion)
        known.withLock { $0 = metadata }
        return metadata
    }
}
