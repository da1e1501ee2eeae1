// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing
import TidelineTestSupport

/// What the tool tells of sync, and sync that runs by itself: whole processes.
@Suite(.serialized)
struct StatusAndLogTests {
    private func status(_ device: Device) throws -> [String: JSON] {
        let result = try device.tool.succeed("status", device.file, "--json")
        return try JSONDecoder().decode([String: JSON].self, from: Data(result.output.utf8))
    }

    private func log(_ device: Device, _ arguments: String...) throws -> [[String: JSON]] {
        let result = try device.tool.run(arguments: ["log", device.file, "--json"] + arguments)
        #expect(result.status == 0, "\(result)")
        return try result.lines.map { try JSONDecoder().decode([String: JSON].self, from: Data($0.utf8)) }
    }

    @Test func `the status tells what is held, what waits, what was refused and how the last sync went`() throws {
        let shop = try Shop()
        let a = try shop.device("a")
        var state = try status(a)
        #expect(state["service"] == .string(shop.service))
        #expect(state["pending"] == 0 && state["unseenConflicts"] == 0 && state["quarantine"] == .array([]))
        #expect(state["lastFailure"] == .null)
        guard case .string(let success)? = state["lastSuccess"] else {
            Issue.record("\(state)")
            return
        }
        #expect(success.hasSuffix("Z"))
        let rows = ["Customers", "Orders", "Seats"].map { set -> JSON in
            .object(["set": .string(set), "filter": .null, "rows": 3, "upTo": .string(success)])
        }
        #expect(state["subscriptions"] == .array(rows))
        // A conflict, a refusal, and something that waits.
        try a.update("Customers", "1", #"{"City":"Paris"}"#)
        try a.insert("Seats", #"{"Code":"D","Number":9}"#)
        try shop.database.execute(
            "UPDATE Customers SET City = 'Rome' WHERE Id = 1; INSERT INTO Seats VALUES ('E', 9, NULL)"
        )
        try a.sync()
        try a.update("Customers", "2", #"{"City":"Boston"}"#)
        state = try status(a)
        #expect(state["pending"] == 1)
        #expect(state["conflicts"] == 1 && state["unseenConflicts"] == 1)
        guard case .array(let held)? = state["quarantine"], case .object(let first)? = held.first else {
            Issue.record("\(state)")
            return
        }
        #expect(held.count == 1 && first["code"] == "DuplicateValue" && first["changes"] == 1)
        // Whoever reads the list has looked at the conflict.
        try a.tool.succeed("conflicts", a.file)
        #expect(try status(a)["unseenConflicts"] == 0)
    }

    @Test(.timeLimit(.minutes(2)))
    func `a sync tells large numbers as the log does, and a program as they are`() throws {
        let shop = try Shop()
        let (a, b) = (try shop.device("a"), try shop.device("b"))
        try shop.database.execute(
            """
            WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
            INSERT INTO Customers (Name) SELECT 'c' || i FROM n
            """
        )
        let process = Process()
        process.executableURL = URL(filePath: Tool.binary)
        process.arguments = ["sync", a.file]
        process.environment = Tool.environment(home: a.tool.home)
        let (shown, status) = try PseudoTerminal().screen(of: process, until: "quarantined 0")
        #expect(status == 0)
        let counts = "sent 0, received 1,200, removed 0, merged 0, conflicts 0, quarantined 0"
        #expect(shown.contains(counts), "\(shown)")
        let told = try b.sync()
        #expect(told.output.contains(#""received":1200,"#), "\(told)")
    }

    @Test func `the log has each sync, the newest last, and those that did nothing as one`() throws {
        let shop = try Shop()
        let a = try shop.device("a")
        try a.update("Customers", "1", #"{"City":"Paris"}"#)
        try a.sync()
        try a.sync()
        try a.sync()
        let entries = try log(a)
        #expect(entries.map { $0["received"] } == [9, 0, 0])
        #expect(entries.map { $0["sent"] } == [0, 1, 0])
        #expect(entries.map { $0["times"] } == [1, 1, 2])
        #expect(entries.map { $0["failure"] } == [.null, .null, .null])
        #expect(try log(a, "--last", "1") == [entries[2]])
    }

    /// The sync gives up after some fifteen seconds of its own; the deadline of the tool's run is a minute.
    @Test(.covers("SB-W17"))
    func `a sync whose server is gone says what it waits for, once, and the status says it too`()
        throws
    {
        let shop = try Shop()
        let a = try shop.device("a")
        try a.update("Customers", "1", #"{"City":"Paris"}"#)
        _ = shop.server.stop()
        let failed = try a.tool.run("sync", a.file)
        #expect(failed.status == 1)
        let said = failed.errors.split(separator: "\n").filter { $0.hasPrefix("Offline: No connection to 127.0.0.1") }
        #expect(said.count == 1, "\(failed)")
        #expect(said.first?.hasSuffix("Asking the service again.") == true)
        let state = try status(a)
        #expect(state["pending"] == 1)
        guard case .object(let failure)? = state["lastFailure"] else {
            Issue.record("\(state)")
            return
        }
        #expect(failure["kind"] == "offline" && failure["code"] == "unreachable")
    }

    @Test func `a watching sync sends what another process writes, and ends with a signal`() throws {
        let shop = try Shop()
        let a = try shop.device("a")
        let process = Process()
        process.executableURL = URL(filePath: Tool.binary)
        process.arguments = ["sync", a.file, "--watch", "--json"]
        process.environment = Tool.environment(home: a.tool.home)
        process.standardInput = FileHandle.nullDevice
        let output = try process.begin {
            let output = Pipe()
            process.standardOutput = output
            return output
        }
        let deadline = Deadline(.seconds(60), process: process.processIdentifier)
        var text = Data()
        /// Reads until an entry says so.
        func wait(until part: String) throws {
            while !String(decoding: text, as: UTF8.self).contains(part) {
                let chunk = output.fileHandleForReading.availableData
                try #require(!chunk.isEmpty, "The process ended: \(String(decoding: text, as: UTF8.self))")
                text.append(chunk)
            }
        }
        try wait(until: #""times":1"#)
        try a.update("Customers", "1", #"{"City":"Paris"}"#)
        try wait(until: #""sent":1"#)
        #expect(try shop.database.texts("SELECT City FROM Customers WHERE Id = 1") == ["Paris"])
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        deadline.cancel()
        #expect(process.terminationStatus == 0)
        try a.verify()
    }
}
