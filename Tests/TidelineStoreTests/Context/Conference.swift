// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

@testable import TidelineStore

/// A conference: tracks with sessions, sessions with marks, rooms that sessions take place in.
///
///     Tracks ←(set null)─ Sessions ←(cascade)─ Marks        Rooms (key given) ←(deny)─ Sessions
///                         Sessions ←(set null)─ Sessions: Prior
enum Conference {
    private static func to(
        _ name: String,
        _ target: String,
        _ source: Int,
        _ key: Int,
        nullable: Bool = true,
        _ rule: NavigationProperty.DeleteRule,
        partner: String? = nil
    ) -> NavigationProperty {
        NavigationProperty(
            names: Names(wire: name),
            targetSet: target,
            isCollection: false,
            isNullable: nullable,
            isDependent: true,
            constraints: [.init(source: source, target: key)],
            onDelete: rule,
            partner: partner
        )
    }

    private static func from(
        _ name: String,
        _ target: String,
        _ foreign: Int,
        _ rule: NavigationProperty.DeleteRule,
        partner: String
    ) -> NavigationProperty {
        NavigationProperty(
            names: Names(wire: name),
            targetSet: target,
            isCollection: true,
            isDependent: false,
            constraints: [.init(source: 0, target: foreign)],
            onDelete: rule,
            partner: partner
        )
    }

    static let tracks = EntitySet(
        names: Names(wire: "Tracks"),
        type: EntityType(
            names: Names(wire: "Track"),
            properties: [
                Fixture.property("TrackId", .int32, nullable: false, generation: .onInsert),
                Fixture.property("Name", .string, nullable: false, maxLength: 20),
                Fixture.property("Color", .string),
            ],
            key: [0],
            navigationProperties: [from("Sessions", "Sessions", 3, .setNull, partner: "Track")]
        )
    )

    static let sessions = EntitySet(
        names: Names(wire: "Sessions"),
        type: EntityType(
            names: Names(wire: "Session"),
            properties: [
                Fixture.property("SessionId", .int32, nullable: false, generation: .onInsert),
                Fixture.property("Title", .string, nullable: false, maxLength: 20),
                Fixture.property("Minutes", .int32, nullable: false, defaultValue: .integer(30)),
                Fixture.property("TrackId", .int32),
                Fixture.property("RoomCode", .string),
                Fixture.property("PriorId", .int32),
            ],
            key: [0],
            navigationProperties: [
                to("Track", "Tracks", 3, 0, .setNull, partner: "Sessions"),
                to("Room", "Rooms", 4, 0, .none, partner: "Sessions"),
                to("Prior", "Sessions", 5, 0, .setNull, partner: "Later"),
                from("Later", "Sessions", 5, .setNull, partner: "Prior"),
                from("Marks", "Marks", 1, .cascade, partner: "Session"),
            ]
        )
    )

    static let marks = EntitySet(
        names: Names(wire: "Marks"),
        type: EntityType(
            names: Names(wire: "Mark"),
            properties: [
                Fixture.property("MarkId", .int32, nullable: false, generation: .onInsert),
                Fixture.property("SessionId", .int32, nullable: false),
                Fixture.property("Stars", .int32),
            ],
            key: [0],
            navigationProperties: [to("Session", "Sessions", 1, 0, nullable: false, .cascade, partner: "Marks")]
        )
    )

    static let rooms = EntitySet(
        names: Names(wire: "Rooms"),
        type: EntityType(
            names: Names(wire: "Room"),
            properties: [
                Fixture.property("Code", .string, nullable: false),
                Fixture.property("Seats", .int32),
            ],
            key: [0],
            navigationProperties: [from("Sessions", "Sessions", 4, .none, partner: "Room")]
        )
    )

    static let model = EntityModel(namespace: "Conference", sets: [tracks, sessions, marks, rooms])

    static func store(_ folder: TestFolder) throws -> LocalStore {
        try LocalStore.create(path: folder.file("conference.tideline"), model: model)
    }

    /// A plan over a set with a condition on it.
    static func plan(
        _ store: LocalStore,
        _ set: String,
        _ filter: Expression? = nil,
        by order: [Expression] = [],
        top: Int? = nil
    ) throws -> ReadPlan {
        let set = try store.layout.set(set).set
        let checker = ExpressionChecker(model: store.model, set: set)
        return ReadPlan(
            model: store.model,
            set: set,
            filter: try filter.map { try checker.condition($0) },
            orderBy: try order.map { ReadPlan.SortKey(try checker.check($0)) },
            top: top
        )
    }

    static func equal(_ path: String, _ value: Value) -> Expression {
        .binary(.equal, .path(path.split(separator: "/").map(String.init)), .literal(value))
    }
}

extension LocalStore {
    /// The values of one property of all rows of a set, in the order of their keys.
    func values(_ property: String, of set: String) throws -> [Value] {
        try fetch(Conference.plan(self, set)).map { $0[property] ?? .null }
    }
}

extension ManagedRow {
    /// A text property, for expectations.
    func text(_ name: String) throws -> String? {
        guard case .string(let text) = try self[name] else { return nil }
        return text
    }
}
