// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

@testable import TidelineOData

/// Orders with a client each, and lines with a key of two properties.
enum Samples {
    static let model = EntityModel(namespace: "Shop", sets: [orders, clients, lines])

    static let orders = EntitySet(
        names: Names(wire: "Orders"),
        type: EntityType(
            names: Names(wire: "Order"),
            properties: [
                Property(names: Names(wire: "OrderId"), type: .int32, isNullable: false, generation: .onInsert),
                Property(names: Names(wire: "Placed"), type: .dateTimeOffset, precision: 3),
                Property(names: Names(wire: "Note"), type: .string, maxLength: 20),
                Property(names: Names(wire: "Total"), type: .decimal, precision: 19, scale: 4),
                Property(names: Names(wire: "Big"), type: .int64),
                Property(names: Names(wire: "Photo"), type: .binary),
                Property(names: Names(wire: "Paid"), type: .boolean, isNullable: false),
                Property(names: Names(wire: "Stamp"), type: .guid, generation: .always),
                Property(names: Names(wire: "ClientId"), type: .guid),
                Property(names: Names(wire: "Draft"), type: .string, isLocalOnly: true),
            ],
            key: [0],
            navigationProperties: [
                NavigationProperty(
                    names: Names(wire: "Client"),
                    targetSet: "Clients",
                    isCollection: false,
                    isDependent: true,
                    constraints: [.init(source: 8, target: 0)]
                ),
                NavigationProperty(
                    names: Names(wire: "Lines"),
                    targetSet: "Lines",
                    isCollection: true,
                    isDependent: false,
                    constraints: [.init(source: 0, target: 0)],
                    onDelete: .cascade
                ),
            ]
        )
    )

    static let clients = EntitySet(
        names: Names(wire: "Clients"),
        type: EntityType(
            names: Names(wire: "Client"),
            properties: [
                Property(names: Names(wire: "ClientId"), type: .guid, isNullable: false),
                Property(names: Names(wire: "Name"), type: .string),
            ],
            key: [0]
        )
    )

    static let lines = EntitySet(
        names: Names(wire: "Lines"),
        type: EntityType(
            names: Names(wire: "Line"),
            properties: [
                Property(names: Names(wire: "OrderId"), type: .int32, isNullable: false),
                Property(names: Names(wire: "Code"), type: .string, isNullable: false),
            ],
            key: [0, 1]
        )
    )
}

/// A sink that writes down what it is told.
final class Transcript: DeltaSink {
    var events: [String] = []

    /// The events of each row as one text.
    var rows: [String] {
        var rows: [String] = []
        for event in events {
            if event == "row" || event.hasPrefix("removed") {
                rows.append(event)
            } else {
                rows[rows.count - 1] += " " + event
            }
        }
        return rows
    }

    func beginRow() { events.append("row") }
    func null() { events.append("null") }
    func boolean(_ value: Bool) { events.append("\(value)") }
    func integer(_ value: Int64) { events.append("\(value)") }
    func double(_ value: Double) { events.append("d\(value)") }
    func text(_ utf8: UnsafeRawBufferPointer) {
        events.append("'" + (unsafe String(decoding: utf8, as: UTF8.self)) + "'")
    }
    func binary(_ bytes: UnsafeRawBufferPointer) { events.append("\(unsafe Array(bytes))") }
    func beginExpansion(_ index: Int) { events.append("(\(index)") }
    func endExpansion(_ index: Int, count: Int?) { events.append(count.map { "\($0))" } ?? ")") }
    func endRow(etag: ETag?) { events.append(etag.map { "etag \($0.high),\($0.low)" } ?? "end") }
    func removed(key: Key, reason: RemovalReason) { events.append("removed \(key.values) \(reason)") }
}
