// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension ContextFragment {
    /// What follows the `#` of the context URL, percent-encoded where it must be.
    public var text: String {
        let segments = path.map { segment in
            switch segment {
            case .name(let name, let key): PercentCoding.encode(segment: name + (key?.text ?? ""))
            case .type(let name): name
            case .collection(let type): "Collection(\(type))"
            case .references(let isCollection): isCollection ? "Collection($ref)" : "$ref"
            }
        }
        return segments.joined(separator: "/") + (select.map(ContextItem.text) ?? "")
            + (suffix.map { "/\($0.rawValue)" } ?? "")
    }
}

extension ContextItem {
    /// `(Name,Orders+(ID))`.
    static func text(_ items: [ContextItem]) -> String {
        "(\(items.map(\.text).joined(separator: ",")))"
    }

    private var text: String {
        let names = parameters.map { "(\($0.joined(separator: ",")))" } ?? ""
        return path.joined(separator: "/") + (isRecursive ? "+" : "") + names + (nested.map(ContextItem.text) ?? "")
    }
}
