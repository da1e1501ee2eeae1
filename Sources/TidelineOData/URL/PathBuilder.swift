// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// A path while it is read: names alone as long as that is enough.
struct PathBuilder {
    /// The names, while nothing else stands in the path.
    private(set) var names: [String]? = []
    private(set) var segments: [PathSegment] = []
    /// The number of levels of the expressions in it.
    var depth = 0

    var count: Int { names?.count ?? segments.count }

    mutating func append(name: String) {
        if names != nil {
            names?.append(name)
        } else {
            segments.append(Self.segment(name))
        }
    }

    mutating func append(_ segment: PathSegment) {
        if let names {
            segments = names.map(Self.segment)
            self.names = nil
        }
        segments.append(segment)
    }

    /// The path that an expression is; `nil` for one that is none.
    init?(_ expression: Expression) {
        switch expression {
        case .path(let names): self.names = names
        case .general(let segments):
            self.names = nil
            self.segments = segments
        default: return nil
        }
    }

    init() {}

    /// Whether a key can follow: what stands last is a name, a filter or a call.
    var takesKey: Bool {
        if let names { return names.last.map { !$0.hasPrefix("$") } ?? false }
        switch segments.last {
        case .name, .filter, .function, .cast: return true
        default: return false
        }
    }

    /// Whether the last segment is a key of literals or aliases, and of names if there are several.
    var hasKeyOfLiterals: Bool {
        guard case .key(let arguments)? = segments.last, !arguments.isEmpty else { return false }
        return arguments.allSatisfy { argument in
            guard argument.name != nil || arguments.count == 1 else { return false }
            switch argument.value {
            case .literal(let value): return value != .null
            case .enumeration: return true
            default: return false
            }
        }
    }

    var expression: Expression { names.map(Expression.path) ?? .general(segments) }

    private static func segment(_ name: String) -> PathSegment {
        name.utf8.contains(UInt8(ascii: ".")) ? .cast(name) : .name(name)
    }
}
