// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineClient
import TidelineModel
import TidelineStore

/// The scenarios that are played with a fault at each operation of the disks.
extension Scenario {
    package static var all: [Scenario] { writing + receiving + refused + wholeFiles + serving }

    // MARK: What devices write

    private static var writing: [Scenario] {
        [
            Scenario(
                "offline writes",
                [
                    .write("insert") { _ = try $0.insert(["Name": .string("new")], into: "Parents") },
                    .write("update") { _ = try $0.update(key(1), ["Note": .string("changed")], in: "Parents") },
                    .write("delete") { _ = try $0.delete(key(3), in: "Children") },
                    .write("swap") {
                        _ = try $0.update(Key([.string("P1")]), ["Rank": .integer(2)], in: "Products")
                        _ = try $0.update(Key([.string("P2")]), ["Rank": .integer(1)], in: "Products")
                    },
                    .act("reopen") {
                        try $0.closeDevice()
                        try $0.openDevice()
                    },
                    .write("after") { _ = try $0.update(key(1), ["Amount": .integer(11)], in: "Parents") },
                ]
            ),
            Scenario(
                "push",
                [
                    .write("first") { _ = try $0.insert(["Name": .string("first")], into: "Parents") },
                    .sync,
                    .write("second") { _ = try $0.update(key(2), ["Name": .string("second")], in: "Parents") },
                    .write("third") { _ = try $0.update(key(2), ["Name": .string("third")], in: "Parents") },
                    .sync,
                ]
            ),
            Scenario(
                "lost answer",
                [
                    .write("first") { _ = try $0.insert(["Name": .string("first")], into: "Parents") },
                    losing,
                    .write("second") { _ = try $0.insert(["Name": .string("second")], into: "Parents") },
                    losing,
                    .sync,
                ]
            ),
            Scenario(
                "keys of the server",
                [
                    .write("family") {
                        let parent = try $0.insert(["Name": .string("family")], into: "Parents")
                        _ = try $0.insert(["ParentId": parent.values[0], "Label": .string("kid")], into: "Children")
                    },
                    .write("more") { transaction in
                        let parent = try transaction.insert(["Name": .string("more")], into: "Parents")
                        for place in 0..<5 {
                            let row: [String: Value] = ["ParentId": parent.values[0], "Label": .string("kid \(place)")]
                            _ = try transaction.insert(row, into: "Children")
                        }
                    },
                    .sync,
                ]
            ),
            Scenario(
                "cascade",
                [
                    .write("child") {
                        _ = try $0.insert(["ParentId": .integer(1), "Label": .string("x")], into: "Children")
                    },
                    .write("parent") { _ = try $0.delete(key(1), in: "Parents") },
                    .sync,
                ]
            ),
        ]
    }

    // MARK: What devices receive

    private static var receiving: [Scenario] {
        [
            Scenario(
                "pull",
                [
                    .edit("insert", "INSERT INTO Parents (Name) VALUES ('theirs')"),
                    .sync,
                    .edit("change", "UPDATE Parents SET Note = 'theirs'; DELETE FROM Children WHERE Label = 'a'"),
                    .edit("swap", "REPLACE INTO Products VALUES ('P4', 2, 'Table')"),
                    .sync,
                ]
            ),
            Scenario("first load", from: .nothing, [clone, .sync]),
            Scenario(
                "first load of many rows",
                from: .nothing,
                [
                    .edit(
                        "many",
                        """
                        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
                        INSERT INTO Parents (Name, Note) SELECT 'p' || i, 'a note of some length for parent ' || i FROM n
                        """
                    ),
                    clone,
                ]
            ),
            Scenario(
                "clone, open, write",
                from: .nothing,
                [
                    clone,
                    .act("reopen") {
                        try $0.closeDevice()
                        try $0.openDevice()
                    },
                    .write("mine") { _ = try $0.update(key(2), ["Note": .string("mine")], in: "Parents") },
                    .sync,
                ]
            ),
            Scenario(
                "load anew",
                [
                    .write("mine") { _ = try $0.update(key(2), ["Note": .string("mine")], in: "Parents") },
                    .edit("first", "UPDATE Parents SET Amount = 99 WHERE Id = 2"),
                    .edit("second", "DELETE FROM Parents WHERE Id = 1"),
                    .act("forget the log") { try $0.compactLog() },
                    .edit("third", "INSERT INTO Children (ParentId, Label) VALUES (2, 'late')"),
                    .sync,
                ]
            ),
        ]
    }

    // MARK: What is refused

    private static var refused: [Scenario] {
        let clash = Step.write("clash") {
            _ = try $0.insert(["Code": .string("P9"), "Rank": .integer(9), "Name": .string("mine")], into: "Products")
        }
        let building = Step.write("building on it") {
            _ = try $0.update(Key([.string("P9")]), ["Name": .string("mine too")], in: "Products")
        }
        let taken = Step.edit("taken", "INSERT INTO Products VALUES ('P8', 9, 'theirs')")
        return [
            Scenario(
                "conflict",
                [
                    .write("mine") {
                        _ = try $0.update(key(1), ["Note": .string("mine"), "Amount": .integer(1)], in: "Parents")
                    },
                    .edit("theirs", "UPDATE Parents SET Note = 'theirs', Name = 'theirs' WHERE Id = 1"),
                    .sync,
                    .decide("restore") {
                        try $0.conflicts().isEmpty
                    } _: { store in
                        for conflict in try store.conflicts() { try store.restore(conflict: conflict.id) }
                    },
                    .sync,
                ]
            ),
            Scenario(
                "quarantine and retry",
                [
                    clash, building, taken, .sync,
                    .edit("freed", "UPDATE Products SET Rank = 19 WHERE Code = 'P8'"),
                    .sync,
                    .decide("retry") {
                        try $0.quarantined().isEmpty
                    } _: { store in
                        while let entry = try store.quarantined().first { try store.retry(quarantined: entry.id) }
                    },
                    .sync,
                ]
            ),
            Scenario(
                "discard",
                [
                    clash, building, taken, .sync,
                    .decide("discard", forgets: true, isSent: false) {
                        try $0.quarantined().isEmpty
                    } _: { store in
                        while let entry = try store.quarantined().first { try store.discard(quarantined: entry.id) }
                    },
                    .sync,
                ]
            ),
        ]
    }

    // MARK: Parts that several use

    static func key(_ number: Int64) -> Key { Key([.integer(number)]) }

    /// A sync whose answers are all lost.
    private static var losing: Step {
        .act("sync without answers") { world in
            world.transport.loseAnswers(true)
            defer { world.transport.loseAnswers(false) }
            do {
                try await world.sync()
            } catch let error as ClientError where error.code == .interrupted {
                // As was to be expected.
            }
        }
    }

    static var clone: Step {
        .act("clone") { world in
            if world.store == nil, !world.hasStoreFile { try await world.clone() }
            try world.openDevice()
        }
    }
}
