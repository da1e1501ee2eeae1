// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData

/// The one request that reads the changes of all sets from one snapshot.
struct DeltaBatch: Sendable {
    /// The sets in the order of their requests, with the delta link of each.
    let links: [(set: String, link: String)]

    init(_ links: [String: String]) {
        self.links = links.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    var body: [UInt8] {
        var writer = BatchRequestWriter()
        for (place, entry) in links.enumerated() {
            writer.append(BatchRequest.Item(id: "\(place)", method: .get, url: entry.link))
        }
        return writer.finish()
    }

    /// The header of the batch: one snapshot, and the last transaction of this client that it holds.
    func fields(client: GUID) -> HTTPFields {
        var fields: HTTPFields = [.prefer: "continue-on-error", .repeatabilityClientID: client.text]
        fields[.isolation] = "snapshot"
        return fields
    }
}
