// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Tideline

/// What an app does with its services, step by step; each step writes down what it got, without the keys that differ.
struct ServiceScript {
    private let harbours: any EntityService<Harbour>
    private let spots: any EntityService<Spot>
    private(set) var lines: [String] = []

    init(_ services: EntityServices) {
        harbours = services.service(for: Harbour.self)
        spots = services.service(for: Spot.self)
    }

    private mutating func step(_ name: String, _ body: () async throws -> String) async {
        do {
            lines.append("\(lines.count + 1) \(name): \(try await body())")
        } catch let error as EntityServiceError {
            lines.append("\(lines.count + 1) \(name): refused \(error.code) \(error.set)")
        } catch {
            lines.append("\(lines.count + 1) \(name): \(error)")
        }
    }

    private static func text(_ spot: Spot?) -> String {
        guard let spot else { return "none" }
        let seen = spot.seen?.text ?? "-"
        return
            "\(spot.name)|\(spot.mark)|\(spot.fee.text)|\(spot.isPublic)|\(seen)|\(spot.comments ?? "-")|\(spot.harbourCode)"
    }

    private static func text(_ harbour: Harbour?) -> String {
        harbour.map { "\($0.code)|\($0.name)|\($0.depth.map { "\($0)" } ?? "-")" } ?? "none"
    }

    private static func names(_ spots: [Spot]) -> String { spots.map(\.name).joined(separator: ",") }

    /// The 30 steps.
    mutating func run() async throws {
        try await makeEntities()
        try await changeThem()
        try await askForThem()
        try await removeThem()
    }

    private mutating func makeEntities() async throws {
        let (harbours, spots) = (harbours, spots)
        await step("create") {
            Self.text(try await harbours.create(Harbour(code: "BGO", name: "Bergen", depth: 12.25)))
        }
        await step("create") { Self.text(try await harbours.create(Harbour(code: "OSL", name: "Oslo"))) }
        await step("create a key that is there") {
            Self.text(try await harbours.create(Harbour(code: "OSL", name: "Other")))
        }
        await step("create with a long name") {
            Self.text(try await harbours.create(Harbour(code: "LNG", name: String(repeating: "x", count: 81))))
        }
        await step("get") { Self.text(try await harbours.get("BGO")) }
        await step("get what is not there") { Self.text(try await harbours.get("NON")) }
        await step("create under a made key") {
            Self.text(
                try await spots.create(
                    Spot(
                        name: "Old pier",
                        mark: "a",
                        fee: 12.50,
                        isPublic: true,
                        seen: DateTimeOffset(seconds: 1_750_000_000),
                        harbourCode: "BGO"
                    )
                )
            )
        }
        await step("create with defaults") {
            Self.text(try await spots.create(Spot(name: "Rock", mark: "b", harbourCode: "BGO")))
        }
        await step("create with a unique value that is there") {
            Self.text(try await spots.create(Spot(name: "Twin", mark: "b", harbourCode: "OSL")))
        }
        await step("create with a reference to nothing") {
            Self.text(try await spots.create(Spot(name: "Lost", mark: "c", harbourCode: "NON")))
        }
        for (name, mark) in [("Quay", "d"), ("O'Hara & sons #1 + 50%", "e"), ("🎣 ø", "f")] {
            await step("create \(mark)") {
                Self.text(try await spots.create(Spot(name: name, mark: mark, comments: "", harbourCode: "OSL")))
            }
        }
    }

    private mutating func changeThem() async throws {
        let (harbours, spots) = (harbours, spots)
        var rock = try await spots.getMany(Spot.where { $0.mark == "b" })[0]
        await step("update") {
            rock.comments = "cod"
            rock.fee = 3
            return Self.text(try await spots.update(rock))
        }
        await step("update with nothing changed") { Self.text(try await spots.update(rock)) }
        await step("get by the made key") { Self.text(try await spots.get(rock.id)) }
        await step("update to null") {
            rock.comments = nil
            return Self.text(try await spots.update(rock))
        }
        await step("update to a unique value that is there") {
            var other = rock
            other.mark = "a"
            return Self.text(try await spots.update(other))
        }
        await step("update to a reference to nothing") {
            var other = rock
            other.harbourCode = "NON"
            return Self.text(try await spots.update(other))
        }
        await step("get after refusals") { Self.text(try await spots.get(rock.id)) }
        await step("update what is not there") {
            Self.text(try await harbours.update(Harbour(code: "NON", name: "Nowhere")))
        }
    }

    private mutating func askForThem() async throws {
        let spots = spots
        await step("getMany, all") { Self.names(try await spots.getMany()) }
        await step("getMany by a name with every reserved character") {
            Self.names(try await spots.getMany(Spot.where { $0.name == "O'Hara & sons #1 + 50%" }))
        }
        await step("getMany over a reference, ordered") {
            Self.names(
                try await spots.getMany(Spot.where { $0.harbour.name == "Bergen" }.sorted(descending: true) { $0.fee })
            )
        }
        await step("getMany, a page") {
            Self.names(try await spots.getMany(Spot.all.sorted { $0.mark }.offset(1).limit(2)))
        }
        await step("getMany with nothing") { Self.names(try await spots.getMany(Spot.where { $0.fee > 1000 })) }
    }

    private mutating func removeThem() async throws {
        let (harbours, spots) = (harbours, spots)
        await step("delete") {
            let quay = try await spots.getMany(Spot.where { $0.mark == "d" })[0]
            try await spots.delete(quay)
            return "done \(try await spots.get(quay.id) == nil)"
        }
        await step("delete what is not there") {
            try await harbours.delete(Harbour(code: "NON", name: "Nowhere"))
            return "done"
        }
        await step("delete with dependents") {
            try await harbours.delete(Harbour(code: "BGO", name: "Bergen"))
            return Self.names(try await spots.getMany())
        }
        await step("what is left") {
            try await harbours.getMany().map { Self.text($0) }.joined(separator: ";")
        }
    }

    /// What every implementation must write down.
    static let expected = [
        "1 create: BGO|Bergen|12.25",
        "2 create: OSL|Oslo|-",
        "3 create a key that is there: refused duplicateKey Harbours",
        "4 create with a long name: refused invalid Harbours",
        "5 get: BGO|Bergen|12.25",
        "6 get what is not there: none",
        "7 create under a made key: Old pier|a|12.5|true|2025-06-15T15:06:40Z|-|BGO",
        "8 create with defaults: Rock|b|0|false|-|-|BGO",
        "9 create with a unique value that is there: refused duplicateValue Spots",
        "10 create with a reference to nothing: refused brokenReference Spots",
        "11 create d: Quay|d|0|false|-||OSL",
        "12 create e: O'Hara & sons #1 + 50%|e|0|false|-||OSL",
        "13 create f: 🎣 ø|f|0|false|-||OSL",
        "14 update: Rock|b|3|false|-|cod|BGO",
        "15 update with nothing changed: Rock|b|3|false|-|cod|BGO",
        "16 get by the made key: Rock|b|3|false|-|cod|BGO",
        "17 update to null: Rock|b|3|false|-|-|BGO",
        "18 update to a unique value that is there: refused duplicateValue Spots",
        "19 update to a reference to nothing: refused brokenReference Spots",
        "20 get after refusals: Rock|b|3|false|-|-|BGO",
        "21 update what is not there: refused notFound Harbours",
        "22 getMany, all: Old pier,Rock,Quay,O'Hara & sons #1 + 50%,🎣 ø",
        "23 getMany by a name with every reserved character: O'Hara & sons #1 + 50%",
        "24 getMany over a reference, ordered: Old pier,Rock",
        "25 getMany, a page: Rock,Quay",
        "26 getMany with nothing: ",
        "27 delete: done true",
        "28 delete what is not there: refused notFound Harbours",
        "29 delete with dependents: O'Hara & sons #1 + 50%,🎣 ø",
        "30 what is left: OSL|Oslo|-",
    ]
}
