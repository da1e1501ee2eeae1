// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineModel
import TidelineStore
import TidelineTestSupport

@testable import TidelineSimulator

/// Each check passes a sound history and finds what is wrong with a broken one.
@Suite(.ownThread)
struct OracleTests {
    private func name(_ id: Int64, _ text: String) -> [String: Value] { ["Id": .integer(id), "Name": .string(text)] }

    @Test func `V4 finds what came before that which it builds on, but for what was held`() throws {
        var history = try History()
        history.write(3, by: "a") { ($0.texts, $0.inserted) = (["w3.1", "w3.2"], ["w3.2"]) }
        history.write(5, by: "a") { $0.touched = ["w3.1"] }
        history.write(6, by: "a") { $0.referred = ["w6.1": ["w3.2"]] }
        history.write(7, by: "a") { $0.referred = ["w7.1": ["w3.1"]] }
        history.write(4, by: "b") { $0.touched = ["w3.1"] }
        #expect(history.complaints(OrderCheck.self, .service(history.marks(3, 5, 6, 7, 4))) == [])
        // Others pass: what has nothing to do with it, and what is of another device.
        #expect(history.complaints(OrderCheck.self, .service(history.marks(7, 4, 3, 5, 6))) == [])
        let late = Observation.service(history.marks(5, 6, 3))
        let end = history.quiet(history.marks(5, 6, 3))
        #expect(
            history.complaints(OrderCheck.self, late, end) == [
                "a's w3 took effect after its w5, which builds on it",
                "a's w3 took effect after its w6, which builds on it",
            ]
        )
        // What was never sent and is gone again: a row that w6 inserted, under another name by then.
        history.write(8, by: "a") { $0.overwrote = ["w8.1": "w6.1"] }
        history.write(9, by: "a") { $0.deleted = ["w8.1", "w3.1"] }
        #expect(history.complaints(OrderCheck.self, late, end) == [])
        let sent = history.state(["Teams": [name(1, "w3.1"), name(2, "w6.1")]])
        #expect(history.complaints(OrderCheck.self, .service(sent), late, end).count == 2)
        history.writes[3]?.wasHeld = true
        #expect(history.complaints(OrderCheck.self, .service(sent), late, end) == [])
    }

    @Test func `V4 knows what came with the insert of another one since the service went back`() throws {
        var history = try History()
        history.write(3, by: "a") { ($0.texts, $0.inserted) = (["w3.1"], ["w3.1"]) }
        history.write(6, by: "a") { $0.touched = ["w3.1"] }
        func event(_ number: Int64, _ text: String) -> [String: Value] {
            ["Id": .integer(number), "Name": .string(text)]
        }
        let first = history.state(["Teams": [name(1, "w3.1")], Regatta.events: [event(1, "w3.m")]])
        // The row that w3 made is inserted again with what w6 changed in it; a copy of the file sends w3 itself later.
        let again = history.state(["Teams": [name(1, "w3.1")], Regatta.events: [event(1, "w6.m")]])
        let late = history.state(["Teams": [name(1, "w3.1")], Regatta.events: [event(1, "w6.m"), event(2, "w3.m")]])
        #expect(
            history.complaints(OrderCheck.self, .service(first), .restored, .service(again), .service(late)) == []
        )
        let complaint = "a's w3 took effect after its w6, which builds on it"
        #expect(history.complaints(OrderCheck.self, .restored, .service(late)) == [complaint])
        #expect(history.complaints(OrderCheck.self, .service(again), .service(late)) == [complaint])
    }

    @Test(arguments: [("LeaderId", false), ("LeaderId", true), ("Motto", false)])
    func `V4 knows that a reference which lost builds on nothing`(property: String, mineWon: Bool) throws {
        var history = try History()
        history.write(3, by: "a") { ($0.texts, $0.inserted) = (["w3.1"], ["w3.1"]) }
        history.write(6, by: "a") { $0.referred = ["w1.2": ["w3.1"]] }
        let mark = ["Id": Value.integer(1), "Name": .string("w6.m")]
        let before = history.state(["Teams": [name(2, "w1.2")], Regatta.events: [mark]])
        let other = ["Id": Value.integer(2), "Name": .string("w3.m")]
        let state = history.state(["Teams": [name(2, "w1.2")], Regatta.events: [mark, other]])
        let conflict = Conflict(
            id: 1,
            set: "Teams",
            key: Key([.integer(2)]),
            kind: .update,
            properties: [
                .init(name: property, base: .null, mine: .integer(3), theirs: .null, mineWon: mineWon)
            ],
            transaction: 1,
            noticedAt: DateTimeOffset(seconds: 0)
        )
        let end = history.quiet(state) { $0.conflicts = [conflict] }
        let lost = property == "LeaderId" && !mineWon
        #expect(
            history.complaints(OrderCheck.self, .service(before), .service(state), end)
                == (lost ? [] : ["a's w3 took effect after its w6, which builds on it"])
        )
    }

    @Test func `V6 waits for a device to load anew, and takes what waited in a copied file for its own`() throws {
        var history = try History()
        history.write(1, by: "a")
        history.write(2, by: "a")
        let (one, both) = (history.marks(1), history.marks(1, 2))
        let begin = Observation.syncing(device: "a", isDone: false)
        let end = Observation.syncing(device: "a", isDone: true)
        func course(_ syncs: Observation...) throws -> [String] {
            var history = history
            var check = CauseCheck(model: history.model)
            var found: [String] = []
            for seen in [Observation.device(name: "a", both), .restored] {
                found += check.look(at: seen, history.writes)
            }
            history.write(3, by: "a")
            for seen in syncs + [.device(name: "a", one)] { found += check.look(at: seen, history.writes) }
            return found
        }
        #expect(try course() == [])
        // One that began before may have read the rows before.
        #expect(try course(end) == [])
        #expect(try course(begin) == [])
        #expect(try course(begin, end) == ["a does not show w3 any more"])
        history.write(4, by: "b") { $0.seen = [2] }
        let effect = history.marks(1, 4)
        let copied = Observation.replaced(device: "b", by: "a")
        #expect(history.complaints(CauseCheck.self, .service(one), copied, .service(effect)) == [])
        #expect(history.complaints(CauseCheck.self, .service(both), copied, .service(effect)).count == 1)
        #expect(history.complaints(CauseCheck.self, .service(one), .service(effect)).count == 1)
    }

    @Test func `V3 finds what both copies of a file sent, but for what one of them changed again`() throws {
        var history = try History()
        history.write(1, by: "a") { $0.texts = ["w1.1"] }
        let (none, one) = (history.state([:]), history.state(["Teams": [name(1, "w1.1")]]))
        let both = history.state(["Teams": [name(1, "w1.1"), name(2, "w1.1")]])
        func course(_ before: NodeState) throws -> [String] {
            var check = OnceCheck(model: history.model)
            var found: [String] = []
            let early = history.writes.filter { $0.key < 3 }
            for seen in [Observation.service(before), .replaced(device: "b", by: "a")] {
                found += check.look(at: seen, early)
            }
            return found + check.look(at: .service(both), history.writes)
        }
        let twice = ["w1.1 stands in two rows of Teams"]
        #expect(try course(none) == twice)
        // Before the file was copied, and by another device: both copies send the same.
        history.write(2, by: "a") { $0.touched = ["w1.1"] }
        history.write(4, by: "c") { $0.touched = ["w1.1"] }
        #expect(try course(none) == twice)
        history.write(5, by: "b") { $0.touched = ["w1.1"] }
        #expect(try course(none) == [])
        // It had been sent before.
        #expect(try course(one) == twice)
    }

    @Test(arguments: ["deleted", "restored", "replaced"])
    func `V3 finds a row that is gone in more rows than devices changed it`(by way: String) throws {
        var history = try History()
        history.write(1, by: "a") { $0.texts = ["w1.1", "w1.2"] }
        let row = name(1, "w1.1").merging(["Motto": .string("w1.2")]) { $1 }
        let both = history.state(["Teams": [name(2, "w1.1"), name(3, "w1.1")]])
        func course(_ history: History) -> [String] {
            // Another program's row may have its key.
            let left = history.state(way == "replaced" ? ["Teams": [name(1, "w9.0o")]] : [:])
            var seen = [Observation.service(history.state(["Teams": [row]])), .service(left)]
            if way == "restored" { seen.insert(.restored, at: 1) }
            var check = OnceCheck(model: history.model)
            return (seen + [.service(both)]).flatMap { check.look(at: $0, history.writes) }
        }
        let twice = ["w1.1 stands in two rows of Teams"]
        #expect(course(history) == twice)
        history.write(2, by: "b") { $0.touched = ["w1.1"] }
        #expect(course(history) == twice)
        history.write(3, by: "b") { $0.touched = ["w1.1"] }
        history.write(4, by: "c") { ($0.touched, $0.deleted) = (["w1.1"], ["w1.1"]) }
        #expect(course(history) == twice)
        // It had seen the row when another text stood in it.
        history.write(5, by: "c") { $0.touched = ["w1.2"] }
        #expect(course(history) == [])
        // A row that is still there is in no need of being brought back.
        let beside = history.state(["Teams": [row, name(3, "w1.1")]])
        #expect(history.complaints(OnceCheck.self, .service(beside)) == twice)
    }

    @Test func `V6 finds an effect without its cause, and what vanishes`() throws {
        var history = try History()
        history.write(1, by: "a")
        history.write(2, by: "b") { $0.seen = [1] }
        let (cause, both, effect) = (history.marks(1), history.marks(1, 2), history.marks(2))
        #expect(history.complaints(CauseCheck.self, .service(cause), .service(both), .device(name: "b", both)) == [])
        let missing = "the service shows w2 of b, and not w1, which it was made after"
        #expect(history.complaints(CauseCheck.self, .service(effect)) == [missing])
        #expect(
            history.complaints(CauseCheck.self, .device(name: "c", both), .device(name: "c", cause))
                == ["c does not show w2 any more"]
        )
        // Its own is shown from the commit on.
        #expect(history.complaints(CauseCheck.self, .device(name: "a", effect)).contains("a does not show w1 any more"))
        #expect(
            history.complaints(CauseCheck.self, .device(name: "c", both), .restored, .device(name: "c", cause)) == []
        )
        history.writes[1]?.isGivenUp = true
        #expect(history.complaints(CauseCheck.self, .service(effect)) == [])
    }

    @Test func `V10 finds a text of another user's diary in what is sent`() throws {
        let history = try History()
        let row: [String: Value] = ["Id": .integer(1), "Owner": .integer(1), "Name": .string("w1.1")]
        let diary = Observation.service(history.state([Regatta.diary: [row]]))
        func sent(_ user: Int64, _ text: String) -> Observation {
            .sent(to: "b", user: .integer(user), bytes: Array(text.utf8))
        }
        let leak = "b was sent w1.1, which is in another user's diary"
        #expect(history.complaints(ScopeCheck.self, diary, sent(2, #"{"Name":"w1.1"}"#)) == [leak])
        #expect(history.complaints(ScopeCheck.self, diary, sent(1, #"{"Name":"w1.1"}"#)) == [])
        #expect(history.complaints(ScopeCheck.self, diary, sent(2, #"{"Name":"w1.12","w":"w"}"#)) == [])
    }

    @Test func `V11 finds a deleted row that is back`() throws {
        let history = try History()
        let (there, gone) = (history.state(["Teams": [name(1, "w1.1")]]), history.state([:]))
        let back = "Teams (1) was deleted and is there again"
        #expect(history.complaints(GoneCheck.self, .service(there), .service(gone), .service(there)) == [back])
        #expect(history.complaints(GoneCheck.self, .service(there), .service(there), .service(gone)) == [])
        #expect(history.complaints(GoneCheck.self, .service(there), .service(gone), .restored, .service(there)) == [])
        let berth: [String: Value] = ["Code": .string("B1"), "Rank": .integer(1), "Name": .string("w1.1")]
        let given = history.state(["Berths": [berth]])
        #expect(history.complaints(GoneCheck.self, .service(given), .service(gone), .service(given)) == [])
    }

    @Test func `V12 finds a waiting change that a restored service never got`() throws {
        var history = try History()
        history.write(1, by: "a")
        history.write(2, by: "a")
        let (old, new) = (history.marks(), history.marks(1))
        let course = [Observation.service(new), .restored, .service(old)]
        func end(_ service: NodeState) -> [String] {
            history.complaints(ReloadCheck.self, course[0], course[1], course[2], history.quiet(service))
        }
        #expect(end(history.marks(2)) == [])
        #expect(end(old) == ["w2.m of a waited when the service went back, and did not arrive"])
        history.writes[2]?.isGivenUp = true
        #expect(end(old) == [])
    }

    @Test func `V14 finds a live list that is not what a fetch finds`() throws {
        let history = try History()
        let (one, two) = (Key([.integer(1)]), Key([.integer(2)]))
        #expect(history.complaints(ListCheck.self, .list(device: "a", folded: [one], fresh: [one])) == [])
        #expect(
            history.complaints(ListCheck.self, .list(device: "a", folded: [one, two], fresh: [two, one]))
                == ["a: the live list is (1) (2), a fetch finds (2) (1)"]
        )
    }

    @Test func `V8 finds a delta link that leads elsewhere, and one that is refused without a reason`() throws {
        let history = try History()
        let (one, key) = ([Value.integer(1), .string("w1.1")], Key([.integer(1)]))
        func replay(_ status: Int, _ folded: [Key: [Value]]?) -> Observation {
            .replayed(LinkReplay(set: "Teams", time: .start, status: status, folded: folded, expected: [key: one]))
        }
        #expect(history.complaints(CursorCheck.self, replay(200, [key: one])) == [])
        #expect(
            history.complaints(CursorCheck.self, replay(200, [:]))
                == ["the link of Teams of \(SimulatedTime.start) leads to no row, the service has (1, w1.1)"]
        )
        #expect(
            history.complaints(CursorCheck.self, replay(410, nil))
                == ["the link of Teams of \(SimulatedTime.start) is answered 410"]
        )
        #expect(history.complaints(CursorCheck.self, .restored, replay(410, nil)) == [])
        #expect(history.complaints(CursorCheck.self, .restored, replay(500, nil)).count == 1)
    }

    @Test func `V19 finds what is kept for nothing`() throws {
        let history = try History()
        let end = history.state([:])
        #expect(history.complaints(LeftoverCheck.self, history.quiet(end)) == [])
        let kept = history.quiet(end) { $0.leftovers = ["rows of tideline_sent"] }
        #expect(history.complaints(LeftoverCheck.self, kept) == ["a keeps rows of tideline_sent"])
    }

    @Test func `V22 finds what is put aside for a version that the service has told`() throws {
        let history = try History()
        #expect(history.complaints(VersionCheck.self, .held(device: "a", codes: ["FallsWithDeletion"])) == [])
        #expect(
            history.complaints(
                VersionCheck.self,
                .held(device: "a", codes: ["FallsWithDeletion", "PreconditionFailed"])
            )
                == ["a put a transaction aside that met no change of the service"]
        )
    }
}
