// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// What the requests of a batch must observe among each other.
///
/// Source: OData JSON Format 4.01, sections 19.1 to 19.4.
enum BatchRules {
    static func check(_ items: [BatchRequest.Item]) throws(ODataError) {
        var all: Set<String> = []
        for item in items where !all.insert(item.id).inserted {
            throw error("The id \(item.id) is there twice.", item)
        }
        var before: Set<String> = []
        var groups: Set<String> = []
        var current: String?
        for item in items {
            if item.atomicityGroup != current {
                current = item.atomicityGroup
                if let current {
                    guard !all.contains(current) else {
                        throw error("The group \(current) has the name of a request.", item)
                    }
                    guard groups.insert(current).inserted else {
                        throw error("The requests of the group \(current) do not stand together.", item)
                    }
                }
            }
            for name in item.dependsOn {
                guard name != item.id, name != current else {
                    throw error("The request \(item.id) depends on itself.", item)
                }
                guard before.contains(name) || groups.contains(name) else {
                    throw error("The request \(item.id) depends on \(name.prefix(100)), which is not before it.", item)
                }
            }
            for name in references(item) where !before.contains(name) {
                throw error("The request \(item.id) refers to \(name.prefix(100)), which is not before it.", item)
            }
            let path = item.url.prefix { $0 != "?" }
            guard !path.hasSuffix("$batch") else { throw error("A batch cannot stand in a batch.", item) }
            before.insert(item.id)
        }
    }

    /// The ids that the URL and the conditions of a request refer to.
    private static func references(_ item: BatchRequest.Item) -> [String] {
        var names: [String] = []
        if let id = BatchReference.id(ofURL: item.url) { names.append(id) }
        for field in [item.headers[.ifMatch], item.headers[.ifNoneMatch]] {
            if let field, case .reference(let id)? = ETagCondition(text: field) { names.append(id) }
        }
        return names
    }

    private static func error(_ message: String, _ item: BatchRequest.Item) -> ODataError {
        ODataError(.invalidBatch, message, target: item.id, at: item.source.lowerBound)
    }
}
