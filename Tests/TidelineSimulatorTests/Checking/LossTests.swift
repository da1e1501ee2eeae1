// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineTestSupport

@testable import TidelineSimulator

/// What counts as lost (V9).
@Suite(.ownThread)
struct LossTests {
    private func name(_ id: Int64, _ text: String) -> [String: Value] { ["Id": .integer(id), "Name": .string(text)] }

    @Test func `V9 finds a value that never came and is in no log`() throws {
        var history = try History()
        history.write(1, by: "a") { $0.texts = ["w1.1"] }
        let end = history.state([:])
        let lost = "w1.1 of a never came to the service, and is in no log"
        #expect(history.complaints(LossCheck.self, history.quiet(end)) == [lost])
        #expect(
            history.complaints(
                LossCheck.self,
                .service(history.state(["Teams": [name(1, "w1.1")]])),
                history.quiet(end)
            ) == []
        )
        let entry = conflict(mine: "w1.1", theirs: "w2.1")
        #expect(history.complaints(LossCheck.self, history.quiet(end) { $0.conflicts = [entry] }) == [])
        history.write(3, by: "a") { $0.replaced = ["w1.1"] }
        #expect(history.complaints(LossCheck.self, history.quiet(end)) == [])
    }

    @Test func `V9 finds a value that a device wrote over unseen`() throws {
        var history = try History()
        history.write(1, by: "b")
        history.write(2, by: "a") { $0.overwrote = ["w2.1": "w0.1"] }
        let (before, after) = (history.state(["Teams": [name(1, "w1.1")]]), history.state(["Teams": [name(1, "w2.1")]]))
        let course: (History) -> [String] = {
            $0.complaints(LossCheck.self, .service(before), .service(after), $0.quiet(after))
        }
        #expect(course(history) == ["a wrote over w1.1, which it had not seen, and its log does not have it"])
        let entry = conflict(mine: "w2.1", theirs: "w1.1")
        let logged = history.quiet(after) { $0.conflicts = [entry] }
        #expect(history.complaints(LossCheck.self, .service(before), .service(after), logged) == [])
        // It had seen it when it took it away, and gave the key to another row later.
        history.writes[2]?.overwrote = [:]
        #expect(course(history) == ["a wrote over w1.1, which it had not seen, and its log does not have it"])
        history.write(1, by: "a") { $0.replaced = ["w1.1"] }
        #expect(course(history) == [])
        history.writes[1]?.replaced = []
        // It had seen it, and wrote twice before it sent.
        history.write(3, by: "a") { $0.overwrote = ["w3.1": "w1.1"] }
        history.writes[2]?.overwrote = ["w2.1": "w3.1"]
        #expect(course(history) == [])
    }

    @Test func `V9 passes over what fell with a berth that came anew with what stands there now`() throws {
        var history = try History()
        history.write(1, by: "b")
        history.write(2, by: "a") { ($0.rebuilt, $0.overwrote) = ([Key([.string("B1")])], ["w2.1": "w0.1"]) }
        history.write(3, by: "a") { $0.overwrote = ["w3.1": "w2.1"] }
        history.write(4, by: "a")
        // The berth was deleted in one transaction, and inserted in another one.
        history.write(5, by: "a") { ($0.inserted, $0.replaced) = (["w5.1"], ["w0.1"]) }
        history.write(6, by: "a") { $0.overwrote = ["w6.1": "w0.1"] }
        let made = history
        func harbour(_ berth: String, _ crew: String) -> NodeState {
            made.state([
                "Berths": [["Code": .string("B1"), "Rank": .integer(1), "Name": .string(berth)]],
                "Crews": [["TripId": .integer(3), "BerthCode": .string("B1"), "Name": .string(crew)]],
            ])
        }
        func course(from before: String, to after: String) -> [String] {
            let (old, new) = (harbour(before, "w1.1"), harbour(after, "w4.1"))
            return made.complaints(LossCheck.self, .service(old), .service(new), made.quiet(new))
        }
        for after in ["w2.1", "w3.1", "w5.1"] { #expect(course(from: "w0.1", to: after) == []) }
        let lost = ["a wrote over w1.1, which it had not seen, and its log does not have it"]
        // The berth has another name alone; it came anew before; it is as it was.
        #expect(course(from: "w0.1", to: "w6.1") == lost)
        #expect(course(from: "w2.1", to: "w3.1") == lost)
        #expect(course(from: "w2.1", to: "w2.1") == lost)
    }

    /// A device puts a crew on a trip, with another row below that one, and deletes the boat that somebody has moved
    /// the trip to.
    private func fallen(deletedBy author: String = "a") throws -> History {
        var history = try History()
        history.write(1, by: "b") { $0.texts = ["w1.1", "w1.2"] }
        history.write(2, by: "a") {
            $0.texts = ["w2.1", "w2.2"]
            $0.above = ["w2.1": ["w1.2"], "w2.2": ["w2.1"]]
        }
        history.write(3, by: author) { ($0.deleted, $0.replaced) = (["w1.1"], ["w1.1"]) }
        return history
    }

    /// Found by the simulator: seeds 12120 and 17282.
    @Test func `V9 knows what stands below a row that falls with one which the same device deletes`() throws {
        let history = try fallen()
        let both = history.state(["Boats": [name(1, "w1.1")], "Trips": [name(1, "w1.2")]])
        let (trip, none) = (history.state(["Trips": [name(1, "w1.2")]]), history.state([:]))
        func found(_ history: History, _ end: NodeState) -> [String] {
            history.complaints(LossCheck.self, .service(both), .service(end), history.quiet(end))
        }
        #expect(found(history, none) == [])
        let lost = ["w2.1", "w2.2"].map { "\($0) of a never came to the service, and is in no log" }
        // The trip stands still, so that the crew should.
        #expect(found(history, trip) == lost)
        #expect(found(try fallen(deletedBy: "b"), none) == lost)
    }

    /// Found by the simulator: seed 37481.
    @Test func `V9 knows what stands below a row that falls and has another text than the device knows`() throws {
        var history = try fallen()
        history.write(4, by: "b") { ($0.texts, $0.replaced) = (["w4.1"], ["w1.2"]) }
        let before = history.state(["Boats": [name(1, "w1.1")], "Trips": [name(1, "w1.2")]])
        let none = history.state([:])
        func found(_ history: History, now: NodeState) -> [String] {
            history.complaints(LossCheck.self, .service(before), .service(now), .service(none), history.quiet(none))
        }
        #expect(found(history, now: history.state(["Boats": [name(1, "w1.1")], "Trips": [name(1, "w4.1")]])) == [])
        // The device had given it a text that never came.
        history.write(5, by: "a") { ($0.overwrote, $0.isGivenUp) = (["w5.1": "w1.2", "w5.2": "w1.1"], true) }
        history.writes[2]?.above["w2.1"] = ["w5.1"]
        history.writes[3]?.deleted = ["w5.2"]
        #expect(found(history, now: history.state(["Boats": [name(1, "w1.1")], "Trips": [name(1, "w4.1")]])) == [])
        // What fell is another row than the one that the device knows: that one went before, by itself.
        let other = history.state(["Boats": [name(1, "w1.1")], "Trips": [name(2, "w4.1")]])
        let lost = ["w2.1", "w2.2"].map { "\($0) of a never came to the service, and is in no log" }
        #expect(found(history, now: other) == lost)
    }

    @Test func `V9 knows it in no later request`() throws {
        let history = try fallen()
        let (trip, none) = (history.state(["Trips": [name(1, "w1.2")]]), history.state([:]))
        let both = history.state(["Boats": [name(1, "w1.1")], "Trips": [name(1, "w1.2")]])
        let seen: [Observation] = [.service(both), .service(trip), .service(none)]
        #expect(history.complaints(LossCheck.self, seen[0], seen[1], seen[2], history.quiet(none)).count == 2)
    }

    /// Found by the simulator: seed 15927.
    @Test func `V9 knows that a key which a restored service gives again was another row's to who wrote both`() throws {
        func course(by author: String, _ restored: [Observation]) throws -> [String] {
            var history = try History()
            history.write(1, by: author)
            history.write(2, by: "a") { $0.overwrote = ["w2.1": "w0.1"] }
            let (before, after) = (
                history.state(["Teams": [name(1, "w1.1")]]), history.state(["Teams": [name(1, "w2.1")]])
            )
            let seen = restored + [.service(before), .service(after), history.quiet(after)]
            return history.complaints(LossCheck.self, seen)
        }
        let lost = ["a wrote over w1.1, which it had not seen, and its log does not have it"]
        #expect(try course(by: "a", [.restored]) == [])
        #expect(try course(by: "a", []) == lost)
        #expect(try course(by: "b", [.restored]) == lost)
    }

    private func conflict(mine: String, theirs: String) -> Conflict {
        let property = Conflict.Property(
            name: "Name",
            base: .null,
            mine: .string(mine),
            theirs: .string(theirs),
            mineWon: false
        )
        return Conflict(
            id: 1,
            set: "Teams",
            key: Key([.integer(1)]),
            kind: .update,
            properties: [property],
            transaction: 1,
            noticedAt: DateTimeOffset(seconds: 0)
        )
    }
}
