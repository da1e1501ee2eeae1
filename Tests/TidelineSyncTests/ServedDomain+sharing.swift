// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineClient
import TidelineStore

extension ServedDomain {
    /// A device, and another engine of the same file, in this process or in another one.
    func twoOfOneFile(isOneProcess: Bool) async throws -> (one: Device, other: Device) {
        let one = try await device("a")
        let transport = try await device("b").transport
        let session = Session(address: one.client.address, transport: transport)
        let store = isOneProcess ? one.store : try LocalStore(path: path(of: "a"), settings: settings(of: "a"))
        return (one, Device(name: "a", store: store, client: ODataClient(session: session), transport: transport))
    }
}
