// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Entities that stand in an answer twice: the second time as references, where the client lets it be.
///
/// Source: OData Protocol 4.01, section 8.2.8.1; OData JSON Format 4.01, section 14.
extension JSONEntityWriter {
    /// So many entities are known again; of those beyond, each is written whole.
    private static let heldLimit = 50_000

    /// Whether the row at hand stands in the answer already, with at least what is asked for here; else it is noted.
    func isHeld(_ shape: CompiledShape) -> Bool {
        guard !shape.source.key.isEmpty, !shape.source.namesType, !capture.key.contains(.null) else { return false }
        if held[frame.url]?.contains(where: { $0 === shape || $0.covers(shape) }) == true { return true }
        if held.count < Self.heldLimit { held[frame.url, default: []].append(shape) }
        return false
    }
}

extension CompiledShape {
    /// Whether rows of this shape have all that rows of another have: what stands inside them is not compared.
    fileprivate func covers(_ other: CompiledShape) -> Bool {
        guard other.source.expansions.isEmpty, source.set == other.source.set else { return false }
        return other.source.columns.allSatisfy { column in
            if column.isHidden { return true }
            // What is computed, or chosen item by item, may be another value in another place.
            guard column.transform == nil, !column.isUndeclared else { return false }
            return source.columns.contains {
                $0.name == column.name && $0.container == column.container && !$0.isHidden && $0.transform == nil
            }
        }
    }
}
