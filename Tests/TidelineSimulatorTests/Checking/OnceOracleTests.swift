// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineSimulator

/// What V3 does not take for done twice: after people sent it from two quarantines, after the service went back, and where a
/// file was copied before its domain was published anew.
@Suite(.ownThread)
struct OnceOracleTests {
    private let twice = ["w1.1 stands in two rows of Teams"]

    /// A state in which a text stands in rows of teams.
    private func teams(_ history: History, _ keys: Int64...) -> Observation {
        .service(history.state(["Teams": keys.map { ["Id": .integer($0), "Name": .string("w1.1")] }]))
    }

    /// Seeds 14863 and 18080.
    @Test func `V3 finds what was sent again from one of two quarantines, and not what both sent`() throws {
        var history = try History()
        history.write(1, by: "a") { $0.texts = ["w1.1"] }
        let copied = Observation.replaced(device: "b", by: "a")
        let mine = Observation.retried(device: "a", events: [1])
        let theirs = Observation.retried(device: "b", events: [1])
        let (before, after) = (teams(history), teams(history, 1, 2))
        #expect(history.complaints(OnceCheck.self, [before, copied, mine, theirs, after]) == [])
        #expect(history.complaints(OnceCheck.self, [before, copied, mine, mine, after]) == twice)
        #expect(history.complaints(OnceCheck.self, [before, mine, copied, theirs, after]) == twice)
        let other = Observation.retried(device: "b", events: [2])
        #expect(history.complaints(OnceCheck.self, [before, copied, mine, other, after]) == twice)
    }

    /// Seed 900811.
    @Test func `V3 passes over what a copy sent, and its original to another publication, and over nothing else`()
        throws
    {
        var history = try History()
        history.write(1, by: "a") { $0.texts = ["w1.1"] }
        let copied = Observation.replaced(device: "b", by: "a")
        let (mine, theirs) = (Observation.request(of: "a"), Observation.request(of: "b"))
        let (before, one, both) = (teams(history), teams(history, 1), teams(history, 1, 2))
        let course: [Observation] = [before, copied, theirs, one, .publishedAnew, mine, both]
        #expect(history.complaints(OnceCheck.self, course) == [])
        #expect(history.complaints(OnceCheck.self, course + [mine, teams(history, 1, 2, 3)]) == twice)
        // The copy knows that it is one, and each knows what it sent itself.
        let others: [[Observation]] = [
            [before, copied, mine, one, .publishedAnew, theirs, both],
            [before, copied, theirs, one, .publishedAnew, theirs, both],
            [before, copied, mine, one, .publishedAnew, mine, both],
        ]
        for other in others { #expect(history.complaints(OnceCheck.self, other) == twice) }
        // A service that forgets nothing, and what came before the file was copied.
        #expect(history.complaints(OnceCheck.self, [before, copied, theirs, one, mine, both]) == twice)
        #expect(history.complaints(OnceCheck.self, [before, mine, one, copied, .publishedAnew, theirs, both]) == twice)
        // A copy of the copy: the one between knows that it is a copy, and the first one of neither.
        let again = [Observation.replaced(device: "c", by: "b"), .request(of: "c"), one, .publishedAnew]
        let chain = [before, copied] + again
        #expect(history.complaints(OnceCheck.self, chain + [theirs, both]) == twice)
        #expect(history.complaints(OnceCheck.self, chain + [mine, both]) == [])
    }

    /// Seeds 7077 and 19609.
    @Test func `V3 counts a deleted row that a restored service has again beside that of who changed it`() throws {
        var history = try History()
        history.write(1, by: "a") { ($0.texts, $0.inserted) = (["w1.1"], ["w1.1"]) }
        history.write(2, by: "b") { $0.touched = ["w1.1"] }
        let (there, gone, both) = (teams(history, 1), teams(history), teams(history, 1, 2))
        let back = [Observation.goingBack(waiting: []), .restored]
        #expect(history.complaints(OnceCheck.self, [there, gone] + back + [there, both]) == [])
        #expect(history.complaints(OnceCheck.self, [there, gone, there, both]) == twice)
        #expect(history.complaints(OnceCheck.self, [there, gone] + back + [there, teams(history, 1, 2, 3)]) == twice)
        // It was never gone.
        #expect(history.complaints(OnceCheck.self, [there] + back + [there, both]) == twice)
    }

    /// Seed 6804.
    @Test func `V3 counts a row that its device sends again as a restored service had not answered`() throws {
        var history = try History()
        history.write(1, by: "a") { ($0.texts, $0.inserted) = (["w1.1"], ["w1.1"]) }
        func course(waiting: Set<String>) -> [Observation] {
            let back = [Observation.goingBack(waiting: waiting), .restored]
            return [teams(history, 1)] + back + [teams(history), teams(history, 2, 3)]
        }
        #expect(history.complaints(OnceCheck.self, course(waiting: ["w1.1"])) == twice)
        history.write(2, by: "b") { $0.touched = ["w1.1"] }
        #expect(history.complaints(OnceCheck.self, course(waiting: ["w1.1"])) == [])
        #expect(history.complaints(OnceCheck.self, course(waiting: ["w2.1"])) == twice)
    }
}
