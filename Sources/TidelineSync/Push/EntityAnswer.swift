// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineClient
import TidelineModel
import TidelineOData

/// One entity of an answer, with the values in the order of its type.
struct EntityAnswer: Hashable, Sendable {
    var values: [Value]
    var key: Key
    var etag: ETag?
    /// The properties of which the service has a value that is none of their type, and told as null.
    var unread: Set<Int> = []

    /// - Throws: ``UnreadableEntity``.
    init(_ body: [UInt8], set: EntitySet) throws {
        let shape = RowShape.received(set)
        let sink = EntityCollector(columns: shape.columns)
        let exceptions: [String: Int]
        do throws(ClientError) {
            exceptions = try Answers.read { () throws(ODataError) in
                try JSONEntityReader(shape: shape).readEntity(body, into: sink)
            }
        } catch {
            throw UnreadableEntity(set: set, cause: error.naming(set.names.wire))
        }
        guard let row = sink.rows.first else {
            throw SyncError(.unexpectedAnswer, "The answer holds no entity.", advice: "Sync again.")
        }
        self.init(row, set: set)
        unread = Set(exceptions.keys.compactMap(set.type.propertyIndex(wire:)))
    }

    /// - Parameter row: the values of the properties that cross the wire.
    init(_ row: EntityCollector.Row, set: EntitySet) {
        let type = set.type
        var values = [Value](repeating: .null, count: type.properties.count)
        var next = 0
        for place in type.properties.indices where !type.properties[place].isLocalOnly {
            if next < row.values.count { values[place] = row.values[next] }
            next += 1
        }
        self.values = values
        key = Key(type.key.map { values[$0] })
        etag = row.etag
    }
}
