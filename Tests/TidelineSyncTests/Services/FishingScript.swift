// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Tideline

/// What the fishing app does with its spots, step by step: as much as every place of spots can carry.
struct FishingScript {
    private let spots: any EntityService<FishingSpot>
    private(set) var lines: [String] = []

    init(_ services: EntityServices) { spots = services.service(for: FishingSpot.self) }

    private mutating func step(_ name: String, _ body: () async throws -> String) async {
        do {
            lines.append("\(lines.count + 1) \(name): \(try await body())")
        } catch let error as EntityServiceError {
            lines.append("\(lines.count + 1) \(name): refused \(error.code) \(error.set)")
        } catch {
            lines.append("\(lines.count + 1) \(name): \(error)")
        }
    }

    private static func text(_ spot: FishingSpot?) -> String {
        guard let spot else { return "none" }
        return "\(spot.name)|\(spot.lat)|\(spot.lng)|\(spot.isPublicSpot)|\(spot.comments)|\(spot.ownerId)"
    }

    /// Keys that a device makes count down: names in the order of the alphabet where the order is that of the key.
    private static func names(_ spots: [FishingSpot]) -> String { spots.map(\.name).sorted().joined(separator: ",") }

    static let hostile = String(repeating: "ø&#+'\"% /?=\\", count: 800)

    /// The 30 steps.
    mutating func run() async throws {
        try await makeThem()
        try await changeThem()
        try await askForThem()
        try await removeThem()
    }

    private mutating func makeThem() async throws {
        let spots = spots
        await step("create") {
            Self.text(
                try await spots.create(
                    FishingSpot(name: "Old pier", lat: 59.9139, lng: 10.7522, isPublicSpot: true, comments: "early")
                )
            )
        }
        await step("create with defaults") {
            Self.text(try await spots.create(FishingSpot(name: "Rock", lat: 0.1, lng: -0.25)))
        }
        await step("create with all digits") {
            Self.text(
                try await spots.create(FishingSpot(name: "Fine", lat: 59.91390000000001, lng: -179.99999999999997))
            )
        }
        for name in ["O'Hara & sons #1 + 50%", "🎣 ø"] {
            await step("create \(name)") {
                Self.text(try await spots.create(FishingSpot(name: name, lat: -45, lng: 90)))
            }
        }
        await step("create with a long text") {
            let spot = FishingSpot(name: "Long", lat: 90, lng: 180, comments: Self.hostile)
            return "\(try await spots.create(spot).comments == Self.hostile)"
        }
        await step("create with a long name") {
            Self.text(try await spots.create(FishingSpot(name: String(repeating: "x", count: 81), lat: 1, lng: 1)))
        }
        await step("create beyond the pole") {
            Self.text(try await spots.create(FishingSpot(name: "Beyond", lat: 90.5, lng: 1)))
        }
        await step("create beyond the date line") {
            Self.text(try await spots.create(FishingSpot(name: "Beyond", lat: 1, lng: -180.25)))
        }
        await step("get what is not there") { Self.text(try await spots.get(4711)) }
    }

    private mutating func changeThem() async throws {
        let spots = spots
        var rock = try await spots.getMany(FishingSpot.where { $0.name == "Rock" })[0]
        await step("get by the made key") { Self.text(try await spots.get(rock.id)) }
        await step("update") {
            rock.comments = "cod"
            rock.lat = 0.5
            return Self.text(try await spots.update(rock))
        }
        await step("update with nothing changed") { Self.text(try await spots.update(rock)) }
        await step("update to public") {
            rock.isPublicSpot = true
            return Self.text(try await spots.update(rock))
        }
        await step("update to an empty text") {
            rock.comments = ""
            return Self.text(try await spots.update(rock))
        }
        await step("update beyond the pole") {
            var other = rock
            other.lat = -91
            return Self.text(try await spots.update(other))
        }
        await step("get after the refusal") { Self.text(try await spots.get(rock.id)) }
        await step("update what is not there") {
            var other = rock
            other.id = 4711
            return Self.text(try await spots.update(other))
        }
    }

    private mutating func askForThem() async throws {
        let spots = spots
        await step("getMany, all") { Self.names(try await spots.getMany()) }
        await step("getMany by a name with reserved characters") {
            Self.names(try await spots.getMany(FishingSpot.where { $0.name == "O'Hara & sons #1 + 50%" }))
        }
        await step("getMany that are public") {
            Self.names(try await spots.getMany(FishingSpot.where { $0.isPublicSpot == true }))
        }
        await step("getMany in a box") {
            Self.names(
                try await spots.getMany(FishingSpot.where { $0.lat > 0 && $0.lat < 60 && $0.lng > -1 && $0.lng < 11 })
            )
        }
        await step("getMany that begin so") {
            Self.names(try await spots.getMany(FishingSpot.where { $0.name.hasPrefix("O") }))
        }
        await step("getMany by latitude, the northern first") {
            try await spots.getMany(FishingSpot.where { $0.lat > 0 }.sorted(descending: true) { $0.lat }).map(\.name)
                .joined(separator: ",")
        }
        await step("getMany, a page") {
            try await spots.getMany(FishingSpot.all.sorted { $0.name }.offset(1).limit(2)).map(\.name)
                .joined(separator: ",")
        }
        await step("getMany with nothing") {
            Self.names(try await spots.getMany(FishingSpot.where { $0.comments == "no such" }))
        }
    }

    private mutating func removeThem() async throws {
        let spots = spots
        await step("delete") {
            let fine = try await spots.getMany(FishingSpot.where { $0.name == "Fine" })[0]
            try await spots.delete(fine)
            return "done \(try await spots.get(fine.id) == nil)"
        }
        await step("delete what is not there") {
            try await spots.delete(FishingSpot(id: 4711, name: "Nowhere", lat: 0, lng: 0))
            return "done"
        }
        await step("the whole text") {
            let long = try await spots.getMany(FishingSpot.where { $0.name == "Long" })
            return "\(long.map { $0.comments == Self.hostile })"
        }
        await step("what is left") { Self.names(try await spots.getMany()) }
    }

    /// What every place must write down.
    static let expected = [
        "1 create: Old pier|59.9139|10.7522|true|early|42",
        "2 create with defaults: Rock|0.1|-0.25|false||42",
        "3 create with all digits: Fine|59.91390000000001|-179.99999999999997|false||42",
        "4 create O'Hara & sons #1 + 50%: O'Hara & sons #1 + 50%|-45.0|90.0|false||42",
        "5 create 🎣 ø: 🎣 ø|-45.0|90.0|false||42",
        "6 create with a long text: true",
        "7 create with a long name: refused invalid FishingSpots",
        "8 create beyond the pole: refused invalid FishingSpots",
        "9 create beyond the date line: refused invalid FishingSpots",
        "10 get what is not there: none",
        "11 get by the made key: Rock|0.1|-0.25|false||42",
        "12 update: Rock|0.5|-0.25|false|cod|42",
        "13 update with nothing changed: Rock|0.5|-0.25|false|cod|42",
        "14 update to public: Rock|0.5|-0.25|true|cod|42",
        "15 update to an empty text: Rock|0.5|-0.25|true||42",
        "16 update beyond the pole: refused invalid FishingSpots",
        "17 get after the refusal: Rock|0.5|-0.25|true||42",
        "18 update what is not there: refused notFound FishingSpots",
        "19 getMany, all: Fine,Long,O'Hara & sons #1 + 50%,Old pier,Rock,🎣 ø",
        "20 getMany by a name with reserved characters: O'Hara & sons #1 + 50%",
        "21 getMany that are public: Old pier,Rock",
        "22 getMany in a box: Old pier,Rock",
        "23 getMany that begin so: O'Hara & sons #1 + 50%,Old pier",
        "24 getMany by latitude, the northern first: Long,Fine,Old pier,Rock",
        "25 getMany, a page: Long,O'Hara & sons #1 + 50%",
        "26 getMany with nothing: ",
        "27 delete: done true",
        "28 delete what is not there: refused notFound FishingSpots",
        "29 the whole text: [true]",
        "30 what is left: Long,O'Hara & sons #1 + 50%,Old pier,Rock,🎣 ø",
    ]
}
