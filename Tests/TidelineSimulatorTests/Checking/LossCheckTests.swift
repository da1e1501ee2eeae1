// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineSimulator

/// What falls within one request is not taken for lost.
///
/// Found by the simulator: seeds 12120 and 17282.
@Suite(.ownThread)
struct LossCheckTests {
    private func name(_ id: Int64, _ text: String) -> [String: Value] { ["Id": .integer(id), "Name": .string(text)] }

    /// A device puts a crew on a trip, with another row below that one, and deletes the boat that somebody has moved
    /// the trip to.
    private func history(deletedBy author: String = "a") throws -> History {
        var history = try History()
        history.write(1, by: "b") { $0.texts = ["w1.1", "w1.2"] }
        history.write(2, by: "a") {
            $0.texts = ["w2.1", "w2.2"]
            $0.above = ["w2.1": ["w1.2"], "w2.2": ["w2.1"]]
        }
        history.write(3, by: author) { ($0.deleted, $0.replaced) = (["w1.1"], ["w1.1"]) }
        return history
    }

    @Test func `V9 knows what stands below a row that falls with one which the same device deletes`() throws {
        let history = try history()
        let both = history.state(["Boats": [name(1, "w1.1")], "Trips": [name(1, "w1.2")]])
        let (trip, none) = (history.state(["Trips": [name(1, "w1.2")]]), history.state([:]))
        func found(_ history: History, _ end: NodeState) -> [String] {
            history.complaints(LossCheck.self, .service(both), .service(end), history.quiet(end))
        }
        #expect(found(history, none) == [])
        let lost = ["w2.1", "w2.2"].map { "\($0) of a never came to the service, and is in no log" }
        // The trip stands still, so that the crew should.
        #expect(found(history, trip) == lost)
        #expect(found(try self.history(deletedBy: "b"), none) == lost)
    }

    @Test func `V9 knows it in no later request`() throws {
        let history = try history()
        let (trip, none) = (history.state(["Trips": [name(1, "w1.2")]]), history.state([:]))
        let both = history.state(["Boats": [name(1, "w1.1")], "Trips": [name(1, "w1.2")]])
        let seen: [Observation] = [.service(both), .service(trip), .service(none)]
        #expect(history.complaints(LossCheck.self, seen[0], seen[1], seen[2], history.quiet(none)).count == 2)
    }
}
