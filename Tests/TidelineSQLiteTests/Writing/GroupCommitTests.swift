// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import GRDB
import Synchronization
import Testing
import TidelineModel
import TidelineStorage

@testable import TidelineSQLite

struct GroupCommitTests {
    private static let schema = """
        CREATE TABLE sellers(id INTEGER PRIMARY KEY, name TEXT UNIQUE,
            mentor_id INTEGER REFERENCES sellers(id) DEFERRABLE INITIALLY DEFERRED);
        CREATE TRIGGER no14 BEFORE INSERT ON sellers WHEN NEW.name = '14' BEGIN SELECT RAISE(ROLLBACK, 'all back'); END;
        """

    private struct Stop: Error {}

    /// A store of sellers.
    private struct Shop {
        let scratch: Scratch
        let store: SQLiteStore
        let sellers: EntitySet

        /// - Parameter step: how far the clock goes each time somebody looks at it.
        init(busyTimeout: Duration = .seconds(10), step: Duration = .zero) throws {
            scratch = try Scratch(GroupCommitTests.schema)
            let model = try scratch.publish().model
            var options = SQLiteStore.Options(busyTimeout: busyTimeout)
            let now = Mutex(ContinuousClock.now)
            options.clock = {
                now.withLock { now in
                    now += step
                    return now
                }
            }
            store = try SQLiteStore(path: scratch.path, model: model, options: options)
            sellers = try #require(model[set: "sellers"])
        }

        /// Has the insertion of a seller stand in line, as a write of another thread does that waits for its turn.
        func wait(_ name: String, mentor: Int64? = nil, failing: Bool = false) -> GroupCommit.Member {
            let sellers = sellers
            let member = GroupCommit.Member { writer in
                let mentor = mentor.map { Value.integer($0) } ?? .null
                _ = try writer.insert([1: .string(name), 2: mentor], into: sellers)
                if failing { throw Stop() }
            }
            store.commits.add(member)
            return member
        }

        func insert(_ name: String) throws {
            _ = try store.write { try $0.insert([1: .string(name)], into: sellers) }
        }

        var names: [String] { get throws { try scratch.rows("SELECT name FROM sellers ORDER BY id") } }
    }

    @Test func `writes that wait together are one commit, in their order`() throws {
        let shop = try Shop()
        let (first, second) = (shop.wait("a"), shop.wait("b"))
        try shop.store.write { writer in
            _ = try writer.insert([1: .string("c")], into: shop.sellers)
            #expect(try writer.entity(Key([.integer(1)]), in: shop.sellers) != nil)
            #expect(try shop.names.isEmpty, "Nobody else sees them before the commit.")
        }
        #expect(first.isDone && first.failure == nil)
        #expect(second.isDone && second.failure == nil)
        #expect(try shop.names == ["a", "b", "c"])
    }

    @Test func `who comes after two milliseconds of others' work is in the next commit`() throws {
        let shop = try Shop(step: .milliseconds(3))
        let seen = Mutex<[[String]]>([])
        // What is committed before each of them runs.
        let members = ["a", "b", "c"].map { name in
            let member = GroupCommit.Member { writer in
                let names = try shop.names
                seen.withLock { $0.append(names) }
                _ = try writer.insert([1: .string(name)], into: shop.sellers)
            }
            shop.store.commits.add(member)
            return member
        }
        try shop.insert("d")
        #expect(seen.withLock { $0 } == [[], ["a"], ["a", "b"]])
        #expect(members.allSatisfy { $0.isDone && $0.failure == nil })
        #expect(try shop.names == ["a", "b", "c", "d"])
    }

    @Test func `one that fails is undone alone`() throws {
        let shop = try Shop()
        let (first, failing, last) = (shop.wait("a"), shop.wait("b", failing: true), shop.wait("c"))
        let again = shop.wait("a")
        try shop.insert("d")
        #expect(first.failure == nil)
        #expect(failing.failure is Stop)
        #expect(last.failure == nil)
        #expect((again.failure as? StorageError)?.code == .duplicateValue)
        #expect(try shop.names == ["a", "c", "d"])
    }

    @Test func `they run in savepoints after one of them failed, until none does`() throws {
        let shop = try Shop()
        let runs = Mutex<[String: Int]>([:])
        /// How often each of a group is run, when one of it fails or none.
        func count(_ name: String, failing: Bool) throws -> Int? {
            let member = GroupCommit.Member { writer in
                runs.withLock { $0[name, default: 0] += 1 }
                _ = try writer.insert([1: .string(name)], into: shop.sellers)
                if failing { throw Stop() }
            }
            shop.store.commits.add(member)
            try shop.insert("beside \(name)")
            #expect((member.failure != nil) == failing)
            return runs.withLock { $0[name] }
        }
        #expect(try count("a", failing: false) == 1)
        #expect(try count("b", failing: true) == 2, "Once without a savepoint, and once in one.")
        #expect(try count("c", failing: true) == 1, "In a savepoint at once.")
        #expect(try count("d", failing: false) == 1)
        #expect(try count("e", failing: true) == 2)
        #expect(try shop.names == ["a", "beside a", "beside b", "beside c", "d", "beside d", "beside e"])
    }

    @Test func `one whose trigger ends the transaction takes nobody with it`() throws {
        let shop = try Shop()
        let (first, ending) = (shop.wait("a"), shop.wait("14"))
        try shop.insert("c")
        #expect(first.failure == nil)
        #expect((ending.failure as? StorageError)?.code == .constraint)
        #expect(try shop.names == ["a", "c"])
    }

    @Test func `one that leaves a constraint open fails alone, and is not saved by another`() throws {
        let shop = try Shop()
        let (open, other) = (shop.wait("a", mentor: 1_000), shop.wait("b"))
        let saving = GroupCommit.Member { writer in
            _ = try writer.insert([0: .integer(1_000), 1: .string("mentor")], into: shop.sellers)
        }
        shop.store.commits.add(saving)
        try shop.insert("c")
        #expect((open.failure as? StorageError)?.code == .missingReference)
        #expect(other.failure == nil)
        #expect(saving.failure == nil)
        #expect(try shop.names == ["b", "mentor", "c"])
    }

    @Test func `while another program has the lock, those who wait together wait once`() throws {
        let shop = try Shop(busyTimeout: .milliseconds(50))
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: shop.scratch.path, configuration: configuration)
        try other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let waiting = (0..<20).map { shop.wait("\($0)") }
        let failure = #expect(throws: StorageError.self) { try shop.insert("c") }
        #expect(failure?.code == .busy)
        #expect(waiting.allSatisfy { ($0.failure as? StorageError)?.code == .busy })
        try other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try shop.insert("d")
        #expect(try shop.names == ["d"])
    }

    @Test func `what many threads write at once is there, and what fails is not`() throws {
        let shop = try Shop()
        let (store, sellers) = (shop.store, shop.sellers)
        let refused = Mutex<Set<String>>([])
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in 0..<12 {
                let name = "\(thread).\(number)"
                do {
                    try store.write { writer in
                        _ = try writer.insert([1: .string(name)], into: sellers)
                        if number % 3 == 1 { throw Stop() }
                    }
                } catch {
                    refused.withLock { _ = $0.insert(name) }
                }
            }
        }
        let names = try shop.names
        for thread in 0..<4 {
            let written = (0..<12).filter { $0 % 3 != 1 }.map { "\(thread).\($0)" }
            let own = names.filter { $0.hasPrefix("\(thread).") }
            #expect(own == written, "Each thread's own are there, in their order.")
        }
        #expect(refused.withLock { $0.count } == 16)
        #expect(refused.withLock { $0.isDisjoint(with: names) })
    }

    @Test(.timeLimit(.minutes(1)))
    func `a write inside of a write of the same store stops the program, which would wait for itself`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardOutputContent]) {
            let shop = try Shop()
            try shop.store.write { _ in
                print("The first writes.")
                try shop.insert("a")
                print("The second wrote.")
            }
        }
        let said = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
        #expect(said.contains("The first writes."))
        #expect(!said.contains("The second wrote."))
    }
}
