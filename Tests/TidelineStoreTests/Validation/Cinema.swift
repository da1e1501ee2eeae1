// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

@testable import TidelineStore

/// Studios ← Movies (required title with pattern, price of at least 0, rating from a list, unique code, rules);
/// Tracks ← Sessions, whose track is required and nullified.
enum Cinema {
    static let model = EntityModel(
        namespace: "Cinema",
        sets: [studios, movies, tracks, sessions, covers]
    )

    private static func changed(_ property: Property, _ change: (inout Property) -> Void) -> Property {
        var copy = property
        change(&copy)
        return copy
    }

    private static let studios = EntitySet(
        names: Names(wire: "Studios"),
        type: EntityType(
            names: Names(wire: "Studio"),
            properties: [
                Fixture.property("StudioId", .int64, nullable: false),
                Fixture.property("Founded", .int32),
                changed(Fixture.property("Rank", .int32)) { $0.isReadOnly = true },
                changed(Fixture.property("City", .string)) { $0.isImmutable = true },
            ],
            key: [0],
            navigationProperties: [
                NavigationProperty(
                    names: Names(wire: "Movies"),
                    targetSet: "Movies",
                    isCollection: true,
                    isDependent: false,
                    constraints: [.init(source: 0, target: 5)]
                )
            ]
        )
    )

    private static let movies: EntitySet = {
        var type = EntityType(
            names: Names(wire: "Movie"),
            properties: [
                Fixture.property("MovieId", .int64, nullable: false),
                changed(Fixture.property("Title", .string, nullable: false, maxLength: 20)) { $0.pattern = "\\S" },
                changed(Fixture.property("Price", .decimal, nullable: false, precision: 6, scale: 2)) {
                    $0.minimum = .decimal(EdmDecimal(coefficient: 0))
                },
                changed(Fixture.property("Rating", .string)) {
                    $0.allowedValues = [.string("G"), .string("PG"), .string("R")]
                },
                changed(Fixture.property("Year", .int32)) {
                    ($0.minimum, $0.maximum) = (.integer(1888), .integer(2100))
                },
                Fixture.property("Studio", .int64),
                Fixture.property("Code", .string),
                Fixture.property("Restored", .int32),
                Fixture.property("Mark", .int32, localOnly: true),
            ],
            key: [0],
            uniqueKeys: [[6]],
            navigationProperties: [
                NavigationProperty(
                    names: Names(wire: "StudioRef"),
                    targetSet: "Studios",
                    isCollection: false,
                    isDependent: true,
                    constraints: [.init(source: 5, target: 0)]
                )
            ]
        )
        type.rules = [
            EntityRule(
                name: "Restoration",
                condition: .binary(
                    .or,
                    .binary(.equal, .path(["Restored"]), .literal(.null)),
                    .binary(.greaterOrEqual, .path(["Restored"]), .path(["Year"]))
                ),
                message: "A film is restored after it was made.",
                properties: ["Restored", "Year"]
            ),
            EntityRule(
                name: "Studio",
                condition: .binary(
                    .or,
                    .binary(.equal, .path(["StudioRef", "Founded"]), .literal(.null)),
                    .binary(.lessOrEqual, .path(["StudioRef", "Founded"]), .path(["Year"]))
                ),
                message: "The studio is younger than the film.",
                properties: ["Studio"]
            ),
            EntityRule(
                name: "Mark",
                condition: .binary(
                    .or,
                    .binary(.equal, .path(["Mark"]), .literal(.null)),
                    .binary(.lessThan, .path(["Mark"]), .literal(.integer(6)))
                ),
                message: "Five marks are the most.",
                properties: ["Mark"]
            ),
        ]
        return EntitySet(names: Names(wire: "Movies"), type: type)
    }()

    private static let tracks = EntitySet(
        names: Names(wire: "Tracks"),
        type: EntityType(
            names: Names(wire: "Track"),
            properties: [
                Fixture.property("TrackId", .int64, nullable: false),
                Fixture.property("Name", .string, nullable: false, defaultValue: .string("Untitled")),
            ],
            key: [0],
            navigationProperties: [
                NavigationProperty(
                    names: Names(wire: "Sessions"),
                    targetSet: "Sessions",
                    isCollection: true,
                    isDependent: false,
                    constraints: [.init(source: 0, target: 2)],
                    onDelete: .setNull
                ),
                NavigationProperty(
                    names: Names(wire: "Covers"),
                    targetSet: "Covers",
                    isCollection: true,
                    isDependent: false,
                    constraints: [.init(source: 0, target: 1)]
                ),
            ]
        )
    )

    private static let sessions = EntitySet(
        names: Names(wire: "Sessions"),
        type: EntityType(
            names: Names(wire: "Session"),
            properties: [
                Fixture.property("SessionId", .int64, nullable: false),
                Fixture.property("Name", .string, nullable: false, maxLength: 128),
                Fixture.property("Track", .int64, nullable: false),
            ],
            key: [0],
            navigationProperties: [
                NavigationProperty(
                    names: Names(wire: "TrackRef"),
                    targetSet: "Tracks",
                    isCollection: false,
                    isNullable: false,
                    isDependent: true,
                    constraints: [.init(source: 2, target: 0)],
                    onDelete: .setNull
                )
            ]
        )
    )

    private static let covers = EntitySet(
        names: Names(wire: "Covers"),
        type: EntityType(
            names: Names(wire: "Cover"),
            properties: [
                Fixture.property("CoverId", .int64, nullable: false), Fixture.property("Track", .int64),
            ],
            key: [0],
            navigationProperties: [
                NavigationProperty(
                    names: Names(wire: "TrackRef"),
                    targetSet: "Tracks",
                    isCollection: false,
                    isDependent: true,
                    constraints: [.init(source: 1, target: 0)]
                )
            ]
        )
    )

    static func store(_ folder: TestFolder, origin: StoreOrigin? = nil) throws -> LocalStore {
        try LocalStore.create(path: folder.file("cinema.tideline"), model: model, origin: origin)
    }

    static func price(_ cents: Int) -> Value { .decimal(EdmDecimal(coefficient: Int128(cents), scale: 2)) }

    /// A movie that breaks nothing.
    static func movie(_ id: Int64, _ change: [String: Value] = [:]) -> [String: Value] {
        ["MovieId": .integer(id), "Title": .string("Metropolis"), "Price": price(990)]
            .merging(change) { _, new in new }
    }

    /// The error of a save.
    static func error<Result>(_ body: () throws -> Result) -> LocalStoreError? {
        do {
            _ = try body()
            return nil
        } catch { return error as? LocalStoreError }
    }
}

/// A failure on a line: `Movies(1) [Title] maxLength`.
func line(_ failure: ValidationFailure) -> String {
    let key = failure.key.map { "(\($0.values.map { $0.text ?? "null" }.joined(separator: ",")))" } ?? ""
    return "\(failure.set)\(key) [\(failure.properties.joined(separator: ","))] \(failure.rule.identifier)"
}
