// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineClient
import TidelineOData

/// Sets that a service fails to read as a whole, as where a row of theirs has a key that is none.
struct BrokenSets {
    let names: Set<String>

    private static let failure = Array(#"{"error":{"code":"InternalError","message":"The server failed."}}"#.utf8)
    private static let json: HTTPFields = [.contentType: "application/json"]

    /// An answer of the service with failures in the place of such sets, by themselves or in a batch of reads.
    func spoiled(
        _ response: TransportResponse,
        to request: HTTPRequest,
        _ body: [UInt8]
    ) throws -> TransportResponse {
        if request.method == .get {
            guard isBroken(request.path ?? "") else { return response }
            return TransportResponse(head: HTTPResponse(status: 500, headerFields: Self.json), body: Self.failure)
        }
        guard request.headerFields[.isolation] != nil, response.head.status == .ok else { return response }
        let requests = try BatchRequestReader.read(body, contentType: request.headerFields[.contentType]).items
        let broken = Set(requests.filter { isBroken($0.url) }.map(\.id))
        guard !broken.isEmpty else { return response }
        let writer = BatchResponseWriter()
        writer.begin()
        for item in try BatchResponseReader.read(response.body).items {
            let failed = BatchResponse.Item(id: item.id, status: 500, headers: Self.json, body: Self.failure)
            writer.append(broken.contains(item.id) ? failed : item)
        }
        writer.end()
        var response = response
        response.body = writer.output.bytes
        return response
    }

    private func isBroken(_ link: String) -> Bool {
        let path = link.prefix { $0 != "?" }
        return names.contains(String(path.split(separator: "/").last ?? ""))
    }
}
