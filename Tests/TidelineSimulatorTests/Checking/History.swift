// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineModel
import TidelineTestSupport

@testable import TidelineSimulator

/// Histories made by hand, to be shown to checks.
struct History {
    let model: EntityModel
    var writes: [Int: WriteRecord] = [:]

    init() throws {
        let path = "\(ProcessFolder.path)/history-\(UInt64.random(in: 0 ... .max)).sqlite"
        model = try Regatta.publish(path: path)
        try FileManager.default.removeItem(atPath: path)
    }

    /// Notes a transaction.
    mutating func write(_ event: Int, by author: String, change: (inout WriteRecord) -> Void = { _ in }) {
        var record = WriteRecord(author: author, event: event, isMarked: true)
        change(&record)
        writes[event] = record
    }

    /// The rows of a node: for each set those that are named, by the names of their properties, the others null.
    func state(_ rows: [String: [[String: Value]]]) -> NodeState {
        NodeState(
            sets: model.sets.map { set in
                var state: [Key: [Value]] = [:]
                for row in rows[set.names.wire] ?? [] {
                    let values = set.type.properties.map { row[$0.names.wire] ?? .null }
                    state[Key(set.type.key.map { values[$0] })] = values
                }
                return state
            }
        )
    }

    /// A node that shows the marks of events, in this order.
    func marks(_ events: Int...) -> NodeState {
        let rows = events.enumerated().map { place, event -> [String: Value] in
            ["Id": .integer(Int64(place + 1)), "Name": .string("w\(event).m")]
        }
        return state([Regatta.events: rows, Regatta.echoes: rows])
    }

    /// What a check says of one thing after another.
    func complaints(_ kind: (some Check).Type, _ seen: Observation...) -> [String] { complaints(kind, seen) }

    func complaints(_ kind: (some Check).Type, _ seen: [Observation]) -> [String] {
        var check = kind.init(model: model)
        return seen.flatMap { check.look(at: $0, writes) }
    }

    /// The end of a run with one device.
    func quiet(_ service: NodeState, change: (inout Observation.QuietDevice) -> Void = { _ in }) -> Observation {
        var device = Observation.QuietDevice(name: "a", state: service, expected: service, pending: 0)
        change(&device)
        return .quiet(service: service, devices: [device])
    }
}
