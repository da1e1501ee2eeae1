// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// An entity of a delta that is gone.
///
///     {"@removed":{"reason":"deleted"},"@id":"Orders(1)","OrderId":1}                           4.01
///     {"@odata.context":"#Orders/$deletedEntity","id":"Orders(1)","reason":"deleted"}           4.0
///
/// Source: OData JSON Format 4.01, section 15.3.
enum RemovedEntity {
    static func read(
        _ reader: inout JSONReader,
        key columns: [RowShape.Column]
    ) throws(ODataError) -> (Key, RemovalReason) {
        let start = reader.offset
        var id: String?
        // An entity without a reason may still exist: only that it left the result is sure.
        var reason = RemovalReason.changed
        var values: [Value?] = Array(repeating: nil, count: columns.count)
        try reader.beginObject()
        var isFirst = true
        while let name = try reader.nextName(&isFirst) {
            let text = try reader.string(name)
            switch ControlName(text) {
            case .control("id"): id = try reader.stringValue()
            case .control("removed"): reason = try self.reason(&reader) ?? reason
            case .plain(let name):
                if let place = columns.firstIndex(where: { $0.name == name }) {
                    values[place] = try reader.value(columns[place].type)
                } else if name == "id", try reader.kind() == .string {
                    let text = try reader.stringValue()
                    if id == nil { id = text }
                } else if name == "reason", try reader.kind() == .string {
                    reason = RemovalReason(rawValue: try reader.stringValue()) ?? reason
                } else {
                    try reader.skipValue()
                }
            default: try reader.skipValue()
            }
        }
        let known = values.compactMap { $0 }.filter { !$0.isNull }
        if known.count == columns.count { return (Key(known), reason) }
        guard let id else {
            throw ODataError(.invalidBody, "A removed entity has neither its id nor its key.", at: start)
        }
        return (try ResourceURL.reference(id).key.key(columns: columns), reason)
    }

    private static func reason(_ reader: inout JSONReader) throws(ODataError) -> RemovalReason? {
        guard try reader.kind() == .object else {
            try reader.skipValue()
            return nil
        }
        var reason: RemovalReason?
        try reader.beginObject()
        var isFirst = true
        while let name = try reader.nextName(&isFirst) {
            if try reader.string(name) == "reason", try reader.kind() == .string {
                reason = RemovalReason(rawValue: try reader.stringValue())
            } else {
                try reader.skipValue()
            }
        }
        return reason
    }
}
