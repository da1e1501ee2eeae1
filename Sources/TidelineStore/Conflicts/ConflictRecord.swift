// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The packed record of a conflict: `(place mineWon base mine theirs)…`, values in their storage forms.
enum ConflictRecord {
    static func encode(_ clashes: [ThreeWayMerge.Clash], _ set: SetLayout) -> [UInt8] {
        let record = PackedBuffer()
        for clash in clashes {
            record.integer(Int64(clash.property))
            record.integer(clash.mineWon ? 1 : 0)
            for value in [clash.base, clash.mine, clash.theirs] {
                set.columns[clash.property].append(value, to: record)
            }
        }
        return record.bytes
    }

    /// - Throws: ``LocalStoreError/Code/corrupt``.
    static func decode(_ record: [UInt8], _ set: SetLayout) throws -> [ThreeWayMerge.Clash] {
        try unsafe record.withUnsafeBytes { raw in
            var reader = unsafe PackedReader(raw)
            var clashes: [ThreeWayMerge.Clash] = []
            while !reader.isAtEnd {
                guard case .integer(let place) = reader.next(), case .integer(let won) = reader.next(),
                    set.columns.indices.contains(Int(place))
                else {
                    throw LocalStoreError(.corrupt, set: set.name, message: "An entry of the conflict log is damaged.")
                }
                let column = set.columns[Int(place)]
                let base = try column.value(reader.next())
                let mine = try column.value(reader.next())
                clashes.append(
                    ThreeWayMerge.Clash(
                        property: Int(place),
                        base: base,
                        mine: mine,
                        theirs: try column.value(reader.next()),
                        mineWon: won == 1
                    )
                )
            }
            return clashes
        }
    }
}
