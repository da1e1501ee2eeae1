// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// What an operation gave.
public struct OperationResult: Hashable, Sendable {
    /// The values, in the columns of ``TidelineModel/EntityModel/resultColumns(of:)``: for entities their keys alone.
    ///
    /// A single value has one row; without a row it is null.
    public var rows: [[Value]]
    /// How many rows were changed; -1 where nothing that it did could change any.
    public var rowsAffected: Int

    public init(rows: [[Value]] = [], rowsAffected: Int = -1) {
        self.rows = rows
        self.rowsAffected = rowsAffected
    }

    /// The entities, for an operation that returns some; each once.
    public var keys: [Key] {
        var seen: Set<Key> = []
        return rows.map(Key.init).filter { seen.insert($0).inserted }
    }
}
