// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineModel

@testable import TidelineSimulator

/// Each check finds what it is for in a history made by hand, and nothing in one that is as it should be.
struct CheckTests {
    private let model: EntityModel
    private let writes = [
        1: WriteRecord(author: "a", event: 1, isMarked: true), 2: WriteRecord(author: "b", event: 2, isMarked: false),
    ]

    init() throws {
        let folder = try ScratchFolder()
        defer { folder.remove() }
        model = try Regatta.publish(path: folder.path + "/model.sqlite")
    }

    /// A state with rows of some sets, each given by its values.
    private func state(_ rows: [String: [[Value]]]) -> NodeState {
        NodeState(
            sets: model.sets.map { set in
                Dictionary(
                    (rows[set.names.wire] ?? []).map { row in (Key(set.type.key.map { row[$0] }), row) },
                    uniquingKeysWith: { first, _ in first }
                )
            }
        )
    }

    private func team(_ key: Int64, _ name: String, leader: Int64? = nil) -> [Value] {
        [.integer(key), leader.map(Value.integer) ?? .null, .string(name), .null]
    }

    private func marks(_ names: String...) -> [[Value]] {
        names.enumerated().map { [.integer(Int64($0 + 1)), .string($1)] }
    }

    private func look(_ kind: any Check.Type, _ observations: Observation...) -> [String] {
        var check = kind.init(model: model)
        return observations.flatMap { check.look(at: $0, writes) }
    }

    @Test func `V2 a value that nobody committed is found on the service and on devices`() {
        #expect(look(PhantomCheck.self, .service(state(["Teams": [team(1, "w1.1"), team(2, "w2.1")]]))) == [])
        let phantom = state(["Teams": [team(1, "w3.1")]])
        #expect(look(PhantomCheck.self, .service(phantom)) == ["the service has w3.1 in Teams, which nobody committed"])
        #expect(look(PhantomCheck.self, .device(name: "a", phantom)).count == 1)
        #expect(look(PhantomCheck.self, .service(state(["Teams": [team(1, "garbage")]]))).count == 1)
    }

    @Test func `V3 a value in two rows is found, also of a row that was deleted and no device changed`() {
        let one = state(["Teams": [team(1, "w1.1")]])
        let two = state(["Teams": [team(1, "w1.1"), team(2, "w1.1")]])
        #expect(look(OnceCheck.self, .service(one), .service(two)) == ["w1.1 stands in two rows of Teams"])
        let again = state(["Teams": [team(2, "w1.1"), team(3, "w1.1")]])
        #expect(look(OnceCheck.self, .service(one), .service(state([:])), .service(again)).count == 1)
    }

    @Test func `V3 a mark that is lost or done again is found`() {
        let there = state([Regatta.events: marks("w1.m")])
        #expect(look(OnceCheck.self, .quiet(service: there, devices: [])) == [])
        let lost = look(OnceCheck.self, .quiet(service: state([:]), devices: []))
        #expect(lost == ["the transaction of a with w1.m is not on the service"])
        let moved = state([Regatta.events: [[.integer(7), .string("w1.m")]]])
        #expect(look(OnceCheck.self, .service(there), .service(moved)) == ["w1.m was done twice"])
        #expect(look(OnceCheck.self, .service(there), .restored, .service(moved)) == [])
    }

    @Test func `V5 half of a transaction is found`() {
        let whole = state([Regatta.events: marks("w1.m"), Regatta.echoes: marks("w1.m")])
        #expect(look(AtomicityCheck.self, .service(whole), .device(name: "a", whole)) == [])
        let half = state([Regatta.events: marks("w1.m")])
        #expect(look(AtomicityCheck.self, .device(name: "a", half)) == ["a has half of the transaction w1.m"])
        // What could not be had is of an earlier moment, as promised (G3).
        #expect(look(AtomicityCheck.self, .device(name: "a", half, behind: ["Echoes"])) == [])
        #expect(look(AtomicityCheck.self, .device(name: "a", half, behind: ["Trips"])).count == 1)
    }

    @Test func `V7 a device that differs or still waits is found`() {
        let service = state(["Teams": [team(1, "w1.1")]])
        func quiet(_ mine: NodeState, pending: Int) -> Observation {
            let device = Observation.QuietDevice(name: "a", state: mine, expected: service, pending: pending)
            return .quiet(service: service, devices: [device])
        }
        #expect(look(ConvergenceCheck.self, quiet(service, pending: 0)) == [])
        #expect(look(ConvergenceCheck.self, quiet(service, pending: 1)) == ["a: 1 transactions wait"])
        let other = state(["Teams": [team(1, "w2.1")]])
        #expect(
            look(ConvergenceCheck.self, quiet(other, pending: 0))
                == ["a has of Teams (1, -, w2.1, -), the service (1, -, w1.1, -)"]
        )
    }

    @Test func `V16 a reference that leads nowhere and a value that is there twice are found`() {
        let sound = state(["Teams": [team(1, "w1.1"), team(2, "w2.1", leader: 1)]])
        #expect(look(ConstraintCheck.self, .service(sound)) == [])
        let dangling = state(["Teams": [team(2, "w2.1", leader: 1)]])
        #expect(
            look(ConstraintCheck.self, .service(dangling)) == ["the service: Teams (2, 1, w2.1, -) refers to no Teams"]
        )
        let berths: [[Value]] = ["B1", "B2"].map { [.string($0), .integer(4), .string("w1.1")] }
        let twice = look(ConstraintCheck.self, .service(state(["Berths": berths])))
        #expect(twice == ["the service: two rows of Berths have (4)"])
    }
}
