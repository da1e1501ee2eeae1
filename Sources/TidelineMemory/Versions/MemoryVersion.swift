// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// All that a store holds at one moment; a copy is a snapshot.
struct MemoryVersion: Sendable {
    /// A client's request.
    struct Request: Hashable, Sendable {
        var client: String
        var request: String
    }

    /// An answer with the moment at which it was kept, in seconds from 1970.
    struct Answer: Hashable, Sendable {
        var answer: KeptAnswer
        var keptAt: Int64
    }

    /// The tables, by the place of their set in the model.
    var tables: [MemoryTable]
    var log: MemoryLog
    /// The epoch that the store began with: what tells it from others, as a copy of it does.
    var publication: [UInt8] = []
    var marks: [String: ClientMark] = [:]
    var answers: [Request: Answer] = [:]
    /// The conflict log, in the order of its numbers.
    var conflicts: [LoggedConflict] = []

    init(schema: MemorySchema, epoch: [UInt8]) {
        tables = schema.indexes.map(MemoryTable.init)
        log = MemoryLog(epoch: epoch)
    }
}
