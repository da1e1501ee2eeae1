// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Transport {
    /// Reads what an address of a server's own wire has, with no session around it.
    ///
    /// - Parameter path: below the address, with its query, percent-encoded.
    /// - Returns: the status and the body.
    package func get(_ path: String, below address: ServiceAddress) async throws -> (status: Int, body: [UInt8]) {
        let request = HTTPRequest(
            method: .get,
            scheme: address.scheme,
            authority: address.authority,
            path: address.path + path
        )
        let response = try await send(request, body: [])
        return (response.head.status.code, response.body)
    }
}
