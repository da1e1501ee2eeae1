// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import TidelineModel
import TidelineStorage

@testable import TidelineStore

/// A folder of its own for one test, gone with it.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "tideline-store-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }
}

enum Fixture {
    /// A set whose keys the service gives.
    static let trips = EntitySet(
        names: Names(wire: "Trips"),
        type: EntityType(
            names: Names(wire: "Trip"),
            properties: [
                property("Id", .int32, nullable: false, generation: .onInsert), property("Motto", .string),
            ],
            key: [0]
        )
    )

    static func property(
        _ name: String,
        _ type: PrimitiveType,
        nullable: Bool = true,
        maxLength: Int? = nil,
        precision: Int? = nil,
        scale: Int? = nil,
        defaultValue: Value? = nil,
        generation: Property.Generation = .none,
        localOnly: Bool = false
    ) -> Property {
        Property(
            names: Names(wire: name, database: "c_\(name.lowercased())"),
            type: type,
            isNullable: nullable,
            maxLength: maxLength,
            precision: precision,
            scale: scale,
            defaultValue: defaultValue,
            generation: generation,
            isLocalOnly: localOnly
        )
    }

    /// Clients (Guid) ← Orders (generated) ← Details (generated, cascade); Tags (text key, unique Rank, deny by Marks).
    static let model = EntityModel(
        namespace: "Test",
        sets: [
            EntitySet(
                names: Names(wire: "Clients", database: "t_clients"),
                type: EntityType(
                    names: Names(wire: "Client"),
                    properties: [
                        property("ClientId", .guid, nullable: false),
                        property("Name", .string, nullable: false, maxLength: 20),
                        property("Phone", .string),
                        property("Note", .string, localOnly: true),
                    ],
                    key: [0],
                    navigationProperties: [
                        NavigationProperty(
                            names: Names(wire: "Orders"),
                            targetSet: "Orders",
                            isCollection: true,
                            isDependent: false,
                            constraints: [.init(source: 0, target: 3)],
                            onDelete: .setNull
                        )
                    ]
                )
            ),
            EntitySet(
                names: Names(wire: "Orders", database: "t_orders"),
                type: EntityType(
                    names: Names(wire: "Order"),
                    properties: [
                        property("OrderId", .int32, nullable: false, generation: .onInsert),
                        property("OrderDate", .dateTimeOffset, precision: 3),
                        property("Status", .int32, nullable: false, defaultValue: .integer(0)),
                        property("Client", .guid),
                    ],
                    key: [0],
                    navigationProperties: [
                        NavigationProperty(
                            names: Names(wire: "ClientRef"),
                            targetSet: "Clients",
                            isCollection: false,
                            isDependent: true,
                            constraints: [.init(source: 3, target: 0)],
                            onDelete: .setNull
                        ),
                        NavigationProperty(
                            names: Names(wire: "Details"),
                            targetSet: "Details",
                            isCollection: true,
                            isDependent: false,
                            constraints: [.init(source: 0, target: 1)],
                            onDelete: .cascade
                        ),
                    ]
                )
            ),
            EntitySet(
                names: Names(wire: "Details", database: "t_details"),
                type: EntityType(
                    names: Names(wire: "Detail"),
                    properties: [
                        property("DetailId", .int32, nullable: false, generation: .onInsert),
                        property("Order", .int32, nullable: false),
                        property("Total", .decimal, precision: 18, scale: 4),
                        property("Weight", .decimal),
                    ],
                    key: [0],
                    navigationProperties: [
                        NavigationProperty(
                            names: Names(wire: "OrderRef"),
                            targetSet: "Orders",
                            isCollection: false,
                            isNullable: false,
                            isDependent: true,
                            constraints: [.init(source: 1, target: 0)],
                            onDelete: .cascade
                        )
                    ]
                )
            ),
            EntitySet(
                names: Names(wire: "Tags"),
                type: EntityType(
                    names: Names(wire: "Tag"),
                    properties: [
                        property("Code", .string, nullable: false),
                        property("Rank", .int64),
                        property("Title", .string),
                        property("Hits", .int64),
                    ],
                    key: [0],
                    uniqueKeys: [[1]]
                )
            ),
            EntitySet(
                names: Names(wire: "Marks"),
                type: EntityType(
                    names: Names(wire: "Mark"),
                    properties: [
                        property("MarkId", .int64, nullable: false), property("Tag", .string),
                    ],
                    key: [0],
                    navigationProperties: [
                        NavigationProperty(
                            names: Names(wire: "TagRef"),
                            targetSet: "Tags",
                            isCollection: false,
                            isDependent: true,
                            constraints: [.init(source: 1, target: 0)]
                        )
                    ]
                )
            ),
        ]
    )

    static func store(_ folder: TestFolder, settings: StoreSettings = StoreSettings()) throws -> LocalStore {
        try LocalStore.create(path: folder.file("a.tideline"), model: model, settings: settings)
    }

    static func plan(_ store: LocalStore, _ set: String) throws -> ReadPlan {
        ReadPlan(model: store.model, set: try store.layout.set(set).set)
    }

    static func rows(_ store: LocalStore, _ set: String) throws -> [[String: Value]] {
        try store.fetch(plan(store, set))
    }

    /// The plan that an expansion runs, by the wire name of the navigation property.
    static func expansion(
        _ store: LocalStore,
        _ set: String,
        _ navigation: String,
        count: Bool = false,
        _ change: (inout ReadPlan) throws -> Void = { _ in }
    ) throws -> ReadPlan.Expansion {
        let type = try store.layout.set(set).set.type
        let place = type.navigationProperties.firstIndex { $0.names.wire == navigation } ?? -1
        var plan = try plan(store, type.navigationProperties[place].targetSet)
        try change(&plan)
        return ReadPlan.Expansion(navigation: place, plan: plan, includesCount: count)
    }

    static func etag(_ number: UInt64) -> ETag { ETag(high: 7, low: number) }

    /// Pushes values as a JSON reader does: numbers and texts, no values.
    static func push(_ values: [Value], etag: ETag?, into sink: any RowSink) {
        sink.beginRow()
        for value in values { ValuePusher(sink).push(value) }
        sink.endRow(etag: etag)
    }

    /// Loads rows of a set as the server's, with a delta link.
    static func load(_ store: LocalStore, _ set: String, _ rows: [(values: [Value], etag: UInt64)]) throws {
        var all = try store.subscriptions()
        if !all.contains(where: { $0.set == set }) { all.append(Subscription(set: set)) }
        try store.setSubscriptions(all)
        let sink = try store.beginLoad(set: set)
        for row in rows { push(row.values, etag: etag(row.etag), into: sink) }
        try sink.finish()
        _ = try store.apply(Checkpoint(deltaLinks: [set: "link-1"], loads: [set]))
    }

    /// Applies staged rows and removals of a set.
    @discardableResult
    static func stage(
        _ store: LocalStore,
        _ set: String,
        _ rows: [(values: [Value], etag: UInt64)] = [],
        removed: [(Key, HiddenTableSink.Removal)] = [],
        decided: Int64? = nil
    ) throws -> ApplyReport {
        let sink = try store.stage(set: set)
        for row in rows { push(row.values, etag: etag(row.etag), into: sink) }
        for (key, reason) in removed { sink.removed(key, reason: reason) }
        try sink.finish()
        return try store.apply(Checkpoint(deltaLinks: [set: "link-2"], staged: [set], decided: decided))
    }

    /// Freezes all that waits, with made-up bytes, and returns it.
    @discardableResult
    static func send(_ store: LocalStore) throws -> [PendingTransaction] {
        let all = try store.pendingTransactions()
        try store.freeze(
            all.filter { $0.frozen == nil }.map {
                FrozenGroup(number: $0.number, requestID: GUID(high: 1, low: UInt64($0.number)), bytes: [1, 2, 3])
            },
            of: all
        )
        return all
    }
}

extension Value: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self = .integer(value) }
}
