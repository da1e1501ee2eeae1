// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage
import TidelineTestSupport

@testable import TidelineStore

/// Random changes under several live lists: the batches, folded over a mirror, always make what a fetch finds.
struct LiveListRandomTests {
    /// A list with its mirror, and how a fetch finds the same.
    private final class Follower {
        let name: String
        let plan: ReadPlan
        let section: TypedExpression?
        let value: ([String: Value]) throws -> Value
        let list: LiveList<[String: Value]>
        var mirror = ListMirror()

        init(
            _ name: String,
            _ shelf: ListShelf,
            _ plan: ReadPlan,
            by section: TypedExpression? = nil,
            _ value: @escaping ([String: Value]) throws -> Value = { _ in .null }
        ) throws {
            self.name = name
            self.plan = plan
            self.section = section
            self.value = value
            list = try shelf.store.list(of: plan, sectionedBy: section)
        }

        /// Takes the next batch, and looks whether its places are right.
        ///
        /// - Returns: what is wrong, or `nil`.
        func follow(_ shelf: ListShelf) throws -> String? {
            let expected = try shelf.fetched(plan, sectionedBy: section, value)
            if let batch = try list.update() {
                let before = mirror
                mirror.apply(batch)
                for change in batch.changes {
                    switch change {
                    case .delete(let key, let from):
                        if before[from] != key { return "\(change)" }
                    case .deleteSection(let value, let from):
                        if before.sections[from].value != value { return "\(change)" }
                    case .insertSection(let value, let to):
                        if mirror.sections[to].value != value { return "\(change)" }
                    case .insert(let key, let to):
                        if mirror[to] != key { return "\(change)" }
                    case .move(let key, let from, let to), .update(let key, let from, let to):
                        if before[from] != key || mirror[to] != key { return "\(change)" }
                    }
                }
            }
            if mirror.sections != list.sections { return "the list is not its batches" }
            if mirror.count != expected.reduce(0, { $0 + $1.count }) { return "count" }
            return mirror.sections == expected ? nil : "\(mirror.sections) is not \(expected)"
        }
    }

    private static func followers(_ shelf: ListShelf) throws -> [Follower] {
        let genre = ListShelf.path(.genre)
        let top = ListShelf.test(ListShelf.shelfName, .equal, .string("b"))
        return try [
            Follower("all", shelf, shelf.plan()),
            Follower("by rank", shelf, shelf.plan(by: [(.rank, false)])),
            Follower("by price", shelf, shelf.plan(by: [(.price, true), (.title, false)])),
            Follower("genres", shelf, shelf.plan(by: [(.rank, true)]), by: genre) { $0["Genre"] ?? .null },
            Follower("genres backwards", shelf, shelf.plan(by: [(.genre, true)], top: 12), by: genre) {
                $0["Genre"] ?? .null
            },
            Follower(
                "first titles",
                shelf,
                shelf.plan(ListShelf.test(.rank, .greaterThan, .integer(3)), by: [(.title, false)], top: 7)
            ),
            Follower("a page", shelf, shelf.plan(by: [(.rank, false)], skip: 3, top: 10)),
            Follower("the rest", shelf, shelf.plan(by: [(.title, true)], skip: 5)),
            Follower("on shelf b", shelf, shelf.plan(top, by: [(.title, false)])),
            Follower("shelves", shelf, shelf.plan(by: [(.price, false)]), by: ListShelf.shelfName) { row in
                guard let id = row["ShelfId"], id != .null else { return .null }
                return try shelf.store.read { try $0.entity(Key([id]), in: "Shelves")?["Name"] ?? .null }
            },
        ]
    }

    @Test(.covers("MD-I56"), arguments: Seeds.chosen(or: 0..<4))
    func `folding the batches makes what a fetch finds`(seed: UInt64) throws {
        var random = RandomSteps(seed)
        let shelf = try ListShelf()
        let other = try shelf.other()
        try shelf.store.write { transaction in
            for (id, name) in [(1, "a"), (2, "b"), (3, "c")] {
                try transaction.insert(["Id": .integer(Int64(id)), "Name": .string(name)], into: "Shelves")
            }
        }
        let followers = try LiveListRandomTests.followers(shelf)
        for step in 0..<2_500 {
            try random.step(shelf, other)
            // The others fold several commits into one batch.
            let follower = followers[Int.random(in: 0..<followers.count, using: &random)]
            let wrong = try follower.follow(shelf)
            #expect(wrong == nil, "seed \(seed), step \(step), \(follower.name)")
            if wrong != nil { return }
        }
        for follower in followers { #expect(try follower.follow(shelf) == nil, "seed \(seed), \(follower.name)") }
        try other.close()
    }
}

/// Random changes, each seed the same again.
private struct RandomSteps: RandomNumberGenerator {
    private var state: UInt64
    private var films: Set<Int64> = []

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// One commit: mostly of one change, at times of many, by SQL, or through another connection.
    mutating func step(_ shelf: ListShelf, _ other: LocalStore) throws {
        switch Int.random(in: 0..<40, using: &self) {
        case 0: try sql(shelf.store)
        case 1:
            try write(other, 1)
            try shelf.store.refresh()
        case 2: try rename(shelf.store)
        case 3, 4: try write(shelf.store, Int.random(in: 2...20, using: &self))
        default: try write(shelf.store, 1)
        }
    }

    private mutating func write(_ store: LocalStore, _ count: Int) throws {
        var copy = self
        try store.write { transaction in
            for _ in 0..<count { try copy.change(transaction) }
        }
        self = copy
    }

    private mutating func change(_ transaction: LocalTransaction) throws {
        // About thirty films: inserts and deletions keep each other in balance.
        let kind = Int.random(in: 0..<10, using: &self)
        if films.isEmpty || kind < 2 && films.count < 45 { return try insert(transaction) }
        let id = films.sorted()[Int.random(in: 0..<films.count, using: &self)]
        let key = ListShelf.key(id)
        switch kind {
        case 0, 1, 2:
            films.remove(id)
            _ = try transaction.delete(key, in: "Films")
        case 3: _ = try transaction.update(key, ["Seen": .boolean(Bool.random(using: &self))], in: "Films")
        default: _ = try transaction.update(key, values(), in: "Films")
        }
    }

    private mutating func insert(_ transaction: LocalTransaction) throws {
        let id = Int64.random(in: 1...60, using: &self)
        guard films.insert(id).inserted else { return }
        var row = values()
        row["Id"] = .integer(id)
        if row["Title"] == nil { row["Title"] = .string("t") }
        try transaction.insert(row, into: "Films")
    }

    /// New values of some properties.
    private mutating func values() -> [String: Value] {
        var values: [String: Value] = [:]
        if Bool.random(using: &self) {
            values["Title"] = .string(["a", "b", "é", "z"].randomElement(using: &self) ?? "")
        }
        if Bool.random(using: &self) {
            let number = Int64.random(in: -1...9, using: &self)
            values["Rank"] = number < 0 ? .null : .integer(number)
        }
        if Bool.random(using: &self) {
            let genres: [Value] = [.null, .string("x"), .string("y"), .string("w")]
            values["Genre"] = genres.randomElement(using: &self) ?? .null
        }
        if Bool.random(using: &self) {
            values["Price"] = .decimal(EdmDecimal(coefficient: Int128.random(in: -300...300, using: &self), scale: 2))
        }
        if Bool.random(using: &self) {
            values["ShelfId"] = [.null, .integer(1), .integer(2), .integer(3)].randomElement(using: &self) ?? .null
        }
        return values
    }

    private mutating func sql(_ store: LocalStore) throws {
        let rank = Int64.random(in: 0...9, using: &self)
        switch Int.random(in: 0..<3, using: &self) {
        case 0:
            _ = try store.raw {
                try $0.execute("UPDATE Films SET Rank = ? WHERE Id % 3 = ?", [.integer(rank), .integer(rank % 3)])
            }
        case 1:
            _ = try store.raw { try $0.execute("DELETE FROM Films WHERE Id % 17 = ?", [.integer(rank)]) }
            films = films.filter { $0 % 17 != rank }
        default:
            _ = try store.raw {
                try $0.execute("UPDATE Films SET Seen = NOT IFNULL(Seen, 0) WHERE Rank = ?", [.integer(rank)])
            }
        }
    }

    private mutating func rename(_ store: LocalStore) throws {
        let id = Int64.random(in: 1...3, using: &self)
        let name = ["a", "b", "c", "d"].randomElement(using: &self) ?? "a"
        try store.write { _ = try $0.update(ListShelf.key(id), ["Name": .string(name)], in: "Shelves") }
    }
}
