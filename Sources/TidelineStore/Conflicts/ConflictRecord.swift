// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The packed record of a conflict: `(place winner base mine theirs)…`, values in their storage forms.
///
/// The winner is 0 for theirs, 1 for mine, 2 where a person is still to decide, 3 for both joined.
enum ConflictRecord {
    static func encode(_ clashes: [ThreeWayMerge.Clash], _ set: SetLayout) -> [UInt8] {
        let record = PackedBuffer()
        for clash in clashes {
            record.integer(Int64(clash.property))
            record.integer(clash.isOpen ? 2 : clash.isJoined ? 3 : clash.mineWon ? 1 : 0)
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
                        mineWon: won == 1 || won == 3,
                        isJoined: won == 3,
                        isOpen: won == 2
                    )
                )
            }
            return clashes
        }
    }

    /// The values of a packed key.
    static func key(_ bytes: [UInt8], _ set: SetLayout) throws -> [Value] {
        try unsafe bytes.withUnsafeBytes { raw in
            var reader = unsafe PackedReader(raw)
            return try set.key.map { try set.columns[$0].value(reader.next()) }
        }
    }
}
