// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The list of resources at the root of a service.
///
/// Source: OData JSON Format 4.01, section 5.
enum ServiceDocument {
    private struct Content: Decodable {
        struct Item: Decodable {
            var name: String
            var kind: String?
        }

        var value: [Item]
    }

    /// The names of the entity sets, in the order written.
    static func entitySets(_ body: [UInt8]) throws(ClientError) -> [String] {
        guard let content = try? JSONDecoder().decode(Content.self, from: Data(body)) else {
            throw ClientError(
                .unreadableAnswer,
                "The service document cannot be read.",
                advice: "Check that the address is that of a domain: https://host/odata/domain/."
            )
        }
        return content.value.filter { $0.kind == nil || $0.kind == "EntitySet" }.map(\.name)
    }
}
