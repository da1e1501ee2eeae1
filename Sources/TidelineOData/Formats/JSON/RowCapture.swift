// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// One row's values as JSON bytes, gathered before the row is written.
final class RowCapture {
    let output = ByteWriter(capacity: 1024)
    /// Where each column's bytes end.
    private(set) var ends: [Int] = []
    private(set) var areNull: [Bool] = []
    private(set) var key: [Value] = []
    private(set) var discriminator = Value.null
    /// How many items the collections of some columns have, where that is told.
    var counts: [Int: Int] = [:]
    /// The columns without a value of their types, and what they hold, where that is told.
    var exceptions: [Int: String?] = [:]

    func begin(keyCount: Int) {
        output.truncate(to: 0)
        ends.removeAll(keepingCapacity: true)
        areNull.removeAll(keepingCapacity: true)
        key = Array(repeating: .null, count: keyCount)
        discriminator = .null
        counts.removeAll(keepingCapacity: true)
        exceptions.removeAll(keepingCapacity: true)
    }

    /// A column is complete.
    func end(_ value: Value, _ column: RowShape.Column, isDiscriminator: Bool) {
        ends.append(output.count)
        areNull.append(value.isNull)
        if let place = column.keyPlace, key.indices.contains(place) { key[place] = value }
        if isDiscriminator { discriminator = value }
    }

    /// Whether the bytes of a column are those of a text, or mean the same value.
    func equals(_ text: [UInt8], _ place: Int, _ column: RowShape.Column) -> Bool {
        let bytes = bytes(of: place)
        if bytes == text { return true }
        switch column.type {
        case .decimal, .dateTimeOffset, .timeOfDay, .duration, .guid:
            // 0.00 is 0, and 12:00:00 is 12:00.
            let digits = bytes.filter { $0 != UInt8(ascii: "\"") }
            return Value(text: String(decoding: digits, as: UTF8.self), as: column.type) == column.defaultValue
        default: return false
        }
    }

    /// The bytes of a column.
    func bytes(of column: Int) -> [UInt8] { output.slice((column == 0 ? 0 : ends[column - 1])..<ends[column]) }

    /// Copies the bytes of a column.
    func copy(_ column: Int, to target: ByteWriter) {
        let start = column == 0 ? 0 : ends[column - 1]
        output.copy(start..<ends[column], to: target)
    }

    /// Copies what stands between the braces of an object, control information with the names of the version.
    func copyMembers(
        _ column: Int,
        _ chosen: [String: String]?,
        to target: ByteWriter,
        _ names: ControlNames,
        _ separate: () -> Void
    ) {
        var bytes = self.bytes(of: column)
        if chosen != nil || bytes.contains(UInt8(ascii: "@")), let tree = try? JSONTree.read(bytes) {
            bytes = names.renamed(chosen.map(tree.choosing) ?? tree).bytes
        }
        guard let open = bytes.firstIndex(of: UInt8(ascii: "{")), let close = bytes.lastIndex(of: UInt8(ascii: "}")),
            bytes[(open + 1)..<close].contains(where: { $0 > 0x20 })
        else { return }
        separate()
        target.append(bytes[(open + 1)..<close])
    }
}
