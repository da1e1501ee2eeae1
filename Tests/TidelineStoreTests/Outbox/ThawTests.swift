// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

@testable import TidelineStore

/// What becomes of transactions that were frozen for an attempt that surely did nothing.
struct ThawTests {
    let folder: TestFolder
    let store: LocalStore

    init() throws {
        folder = try TestFolder()
        store = try Fixture.store(folder)
        try store.write { try $0.insert([:], into: "Orders") }
    }

    private func group(_ number: Int64) -> FrozenGroup {
        FrozenGroup(number: number, requestID: GUID(high: 1, low: UInt64(number)), bytes: [1])
    }

    /// Freezes transactions of those that wait as they are read now.
    @discardableResult
    private func freeze(_ numbers: Int64...) throws -> PushAttempt {
        try store.freeze(numbers.map(group), of: store.pendingTransactions())
    }

    /// The numbers of the transactions that are frozen, without taking any up.
    private func frozen() throws -> [Int64] {
        try store.reading { connection in
            try connection.query("SELECT number FROM main.tideline_sent ORDER BY number") { $0.integer(0) }
        }
    }

    @Test func `what was frozen for the first time waits again as it did before`() throws {
        let before = try store.pendingTransactions()
        let attempt = try freeze(1)
        #expect(try frozen() == [1])
        try store.thaw(attempt)
        #expect(try frozen() == [])
        #expect(try store.pendingTransactions() == before)
        #expect(try store.status().sentTransactions == 0)
    }

    @Test func `what an earlier attempt has sent stays frozen as it was`() throws {
        try freeze(1)
        try store.write { try $0.insert([:], into: "Orders") }
        #expect(try store.pendingTransactions().map { $0.frozen?.number } == [1, nil])
        let later = try freeze(2)
        #expect(later.first == [2])
        try store.thaw(later)
        #expect(try frozen() == [1])
        // Again, with nothing that is frozen for the first time.
        let none = try freeze()
        #expect(none.first == [])
        try store.thaw(none)
        #expect(try frozen() == [1])
        #expect(try store.pendingTransactions().map { $0.frozen?.bytes } == [[1], nil])
    }

    @Test func `what another process has taken up since, to send it again, stays frozen`() throws {
        let other = try LocalStore(path: folder.file("a.tideline"))
        let attempt = try freeze(1)
        let read = try other.pendingTransactions()
        #expect(read.map { $0.frozen?.number } == [1])
        #expect(try other.freeze([], of: read).first == [])
        try store.thaw(attempt)
        #expect(try frozen() == [1])
    }

    @Test func `what another process has only read is thawed, and not sent from there`() throws {
        let other = try LocalStore(path: folder.file("a.tideline"))
        let attempt = try freeze(1)
        let read = try other.pendingTransactions()
        #expect(read.map { $0.frozen?.number } == [1])
        try store.thaw(attempt)
        #expect(try frozen() == [])
        #expect(throws: PushAttempt.Lost.self) { try other.freeze([], of: read) }
    }

    @Test func `what the attempts of one sync have frozen is thawed together`() throws {
        let one = try freeze(1)
        try store.write { try $0.insert([:], into: "Orders") }
        let two = try store.freeze([group(2)], of: store.pendingTransactions(), after: one)
        #expect(two.first == [1, 2])
        let three = try store.freeze([], of: store.pendingTransactions(), after: two)
        #expect(three.first == [1, 2])
        // Two others were noted after it.
        try store.thaw(one)
        #expect(try frozen() == [1, 2])
        try store.thaw(three)
        #expect(try frozen() == [])
    }

    @Test func `what another process took up between two attempts of one sync stays frozen`() throws {
        let other = try LocalStore(path: folder.file("a.tideline"))
        let one = try freeze(1)
        try other.freeze([], of: other.pendingTransactions())
        try store.write { try $0.insert([:], into: "Orders") }
        let two = try store.freeze([group(2)], of: store.pendingTransactions(), after: one)
        #expect(two.first == [2])
        try store.thaw(two)
        #expect(try frozen() == [1])
    }

    @Test func `what two processes have frozen at once stays frozen, whichever of them sent nothing`() throws {
        let other = try LocalStore(path: folder.file("a.tideline"))
        // Both took it up before either froze it.
        let (mine, others) = (try store.pendingTransactions(), try other.pendingTransactions())
        #expect(mine.map(\.frozen) == [nil] && others.map(\.frozen) == [nil])
        let one = try store.freeze([group(1)], of: mine)
        #expect(one.first == [1])
        // The second one is told to look again, and sends what the first one froze.
        #expect(throws: PushAttempt.Lost.self) { try other.freeze([group(1)], of: others) }
        let again = try other.pendingTransactions()
        #expect(again.map(\.frozen) == [group(1)])
        let two = try other.freeze([], of: again)
        #expect(two.first == [])
        try other.thaw(two)
        #expect(try frozen() == [1])
        try store.thaw(one)
        #expect(try frozen() == [1])
    }

    @Test func `an attempt that ends with its process stays frozen`() throws {
        try freeze(1)
        try store.close()
        let after = try LocalStore(path: folder.file("a.tideline"))
        #expect(try after.pendingTransactions().map { $0.frozen?.number } == [1])
    }

    @Test func `what an earlier publication did not do may be sent where another process has taken it up`() throws {
        #expect(try store.setEpoch("a-one", from: nil) == nil)
        let attempt = try freeze(1)
        let other = try LocalStore(path: folder.file("a.tideline"))
        try other.freeze([], of: other.pendingTransactions())
        let report = try store.setEpoch("b-two", from: "a-one", notDone: attempt)
        #expect(report?.quarantined.count == 1)
        #expect(try store.quarantined().map(\.code) == ["Undecided"])
    }

    @Test func `what an earlier publication did not do, and nobody else took up, is no question`() throws {
        #expect(try store.setEpoch("a-one", from: nil) == nil)
        let attempt = try freeze(1)
        #expect(try store.setEpoch("b-two", from: "a-one", notDone: attempt) == nil)
        #expect(try store.quarantined() == [])
    }
}
