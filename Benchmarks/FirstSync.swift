// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import HTTPTypes
import Tideline
import TidelineService

/// T5: a clone through the real engine and the real service, beside the prepared insert of the same rows.
enum FirstSync {
    static func measure(rows: Int, folder: URL) async throws -> [Figure] {
        // What a process does once, such as loading libraries and looking types up, is not part of a sync.
        _ = try await clone(rows: 10, folder, "warm")
        let (seconds, limit) = try await clone(rows: rows, folder, "measured")
        return [
            Figure(
                what: "clone, client and server in one process",
                rows: rows,
                seconds: seconds,
                limitName: "prepared insert",
                limitSeconds: limit,
                isRate: true,
                bound: 0.3,
                peakMegabytes: Measuring.peakMegabytes
            )
        ]
    }

    /// The seconds of a clone, and those of the prepared insert that made its source.
    private static func clone(rows: Int, _ folder: URL, _ name: String) async throws -> (Double, Double) {
        let path = folder.appending(path: "\(name).sqlite").path
        let limit = try SourceDatabase.make(path, rows: rows)
        let transport = ServiceTransport(service: try SourceDatabase.service(path, spoolFolder: folder.path))
        let copy = folder.appending(path: "\(name).tideline").path
        var count = 0
        let seconds = try await Measuring.seconds {
            let store = try await LocalStore.clone(
                "http://127.0.0.1/odata/bench/",
                to: copy,
                transport: transport,
                userFolder: folder.path
            )
            count = try store.count(Item.all)
        }
        guard count == rows else { throw WholeSet.Failed(status: count) }
        return (seconds, limit)
    }
}

/// What the source has, as an app sees it.
@Entity("Items")
struct Item {
    @Key var id: Int64
    var code: String
    var name: String
    var quantity: Int64
    var weight: Double
    var note: String?
    var place: String
}

/// Hands requests to a service in this process, on a thread of its own.
struct ServiceTransport: Transport {
    let service: ODataService
    private let queue = DispatchQueue(label: "service")

    init(service: ODataService) {
        self.service = service
    }

    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> TransportResponse {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                let response = service.respond(to: request, body: body, user: .anonymous)
                continuation.resume(
                    with: Result { TransportResponse(head: response.head, body: try response.body.all()) }
                )
            }
        }
    }
}
