// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension ResourcePath {
    /// The path below the service root, percent-encoded, without a leading slash.
    public var text: String {
        var text = ""
        for segment in segments {
            if case .key = segment {} else if !text.isEmpty { text += "/" }
            text += PercentCoding.encode(segment: segment.text)
        }
        return text
    }
}

extension ResourcePath.Segment {
    /// The segment, not percent-encoded.
    package var text: String {
        switch self {
        case .name(let name, let key): name + (key?.text ?? "")
        case .key(let key): key.text
        case .literal(let text): text
        case .cast(let name), .action(let name): name
        case .function(let name, let arguments): name + ExpressionPrinter.text(arguments)
        case .filter(let condition): "$filter(\(ExpressionPrinter.print(condition)))"
        case .each: "$each"
        case .count: "$count"
        case .value: "$value"
        case .ref: "$ref"
        case .query: "$query"
        case .metadata: "$metadata"
        case .batch: "$batch"
        case .all: "$all"
        case .crossjoin(let sets): "$crossjoin(\(sets.joined(separator: ",")))"
        case .entity: "$entity"
        case .reference(let id): "$\(id)"
        }
    }
}

extension RequestTarget {
    /// The path and its options, percent-encoded, without a leading slash.
    public var text: String {
        let query = options.text
        let fragment = context.map { "#\($0.text)" } ?? ""
        return path.text + (query.isEmpty ? "" : "?\(query)") + fragment
    }
}
