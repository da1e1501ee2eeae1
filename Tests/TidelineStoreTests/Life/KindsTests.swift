// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineStore

struct KindsTests {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// Thirty operations, some of which are refused; what each gave, and the rows at the end.
    private func script(_ open: () throws -> LocalStore, _ reopen: (LocalStore) throws -> LocalStore) throws -> [String]
    {
        var log: [String] = []
        var store = try open()
        for step in 0..<30 {
            let code = Value.string("t\(step % 7)")
            do {
                switch step % 5 {
                case 0:
                    try store.write { try $0.insert(["Code": code, "Rank": .integer(Int64(step % 2))], into: "Tags") }
                case 1: log.append("\(try store.write { try $0.insert([:], into: "Orders") })")
                case 2: try store.write { try $0.update(Key([code]), ["Title": .string("s\(step)")], in: "Tags") }
                case 3:
                    try store.write { try $0.insert(["MarkId": .integer(Int64(step)), "Tag": code], into: "Marks") }
                default: try store.write { try $0.delete(Key([code]), in: "Tags") }
                }
                log.append("\(step) ok")
            } catch let error as LocalStoreError { log.append("\(step) \(error.code)") }
            if step % 10 == 9 { store = try reopen(store) }
        }
        for set in ["Orders", "Tags", "Marks"] {
            log += try Fixture.rows(store, set).map { row in
                set + row.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
            }
        }
        try store.close()
        return log
    }

    @Test(.covers("MD-I41"))
    func `thirty operations give the same on a file, through briefcases, and in a temporary store`() throws {
        let settings = StoreSettings()
        let file = try script {
            try Fixture.store(folder)
        } _: { store in
            try store.close()
            return try LocalStore(path: folder.file("a.tideline"), settings: settings)
        }
        #expect(file.count > 40)
        #expect(file.contains { $0.hasSuffix("duplicateValue") || $0.hasSuffix("duplicateKey") })
        var turn = 0
        let briefcase = try script {
            try LocalStore.temporary(model: Fixture.model)
        } _: { store in
            turn += 1
            let path = folder.file("case\(turn)")
            try store.exportBriefcase(to: path, form: turn == 2 ? .file : .folder, version: "1")
            try store.close()
            let next = try LocalStore.temporary(model: Fixture.model)
            #expect(try next.importBriefcase(from: path, version: "1") == .imported(properties: [:]))
            return next
        }
        #expect(briefcase == file)
        let memory = try script {
            try LocalStore.temporary(model: Fixture.model)
        } _: {
            $0
        }
        #expect(memory == file)
    }

    @Test(.covers("SB-F070"))
    func `the tables are made of the model; of the store's own they have the version last seen alone`() throws {
        let store = try Fixture.store(folder)
        try store.write { try $0.insert(["Code": .string("a")], into: "Tags") }
        let tables = try store.reading { connection in
            try connection.query(
                "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name IN ('Orders', 'Tags') ORDER BY name"
            ) { $0.string(0) }
        }
        #expect(
            tables == [
                #"CREATE TABLE "Orders" ("OrderId" INTEGER, "OrderDate" TEXT, "Status" INTEGER, "Client" TEXT, "#
                    + #"tideline_etag TEXT, PRIMARY KEY ("OrderId"))"#,
                #"CREATE TABLE "Tags" ("Code" TEXT, "Rank" INTEGER, "Title" TEXT, "Hits" INTEGER, "#
                    + #"tideline_etag TEXT, PRIMARY KEY ("Code")) WITHOUT ROWID"#,
            ]
        )
    }

    @Test(.covers("MD-I41"))
    func `a temporary store vanishes when it is closed, or forgotten`() throws {
        let path: String
        do {
            let store = try LocalStore.temporary(model: Fixture.model)
            path = store.path
            try store.write { try $0.insert(["Code": .string("a")], into: "Tags") }
            #expect(FileManager.default.fileExists(atPath: path))
            try store.close()
            #expect(!FileManager.default.fileExists(atPath: path))
        }
        let other = try LocalStore.temporary(model: Fixture.model).path
        #expect(!FileManager.default.fileExists(atPath: other))
    }

    @Test(.covers("MD-I35"))
    func `a moment written in Tokyo is the same moment in Detroit, also on the day the clocks change`() async throws {
        try Fixture.store(folder).close()
        await #expect(processExitsWith: .success) { [path = folder.file("a.tideline") as String] in
            unsafe setenv("TZ", "Asia/Tokyo", 1)
            tzset()
            let store = try LocalStore(path: path)
            for hour in [15, 16] {
                var time = unsafe tm()
                unsafe (time.tm_year, time.tm_mon, time.tm_mday, time.tm_hour, time.tm_min) = (
                    126, 2, 8, Int32(hour), 30
                )
                let moment = unsafe DateTimeOffset(seconds: Int64(mktime(&time)))
                try await store.write { try $0.insert(["OrderDate": .dateTimeOffset(moment)], into: "Orders") }
            }
            try store.close()
        }
        await #expect(processExitsWith: .success) { [path = folder.file("a.tideline") as String] in
            unsafe setenv("TZ", "America/Detroit", 1)
            tzset()
            let store = try LocalStore(path: path)
            let hours = try Fixture.rows(store, "Orders").compactMap { row -> [Int32]? in
                guard case .dateTimeOffset(let moment)? = row["OrderDate"] else { return nil }
                var seconds = time_t(moment.seconds)
                var time = unsafe tm()
                unsafe localtime_r(&seconds, &time)
                return unsafe [time.tm_mday, time.tm_hour, time.tm_min, time.tm_isdst]
            }
            // Newest key first: temporary keys go down. 02:00 to 03:00 does not exist on that day.
            #expect(hours == [[8, 3, 30, 1], [8, 1, 30, 0]])
        }
        let store = try LocalStore(path: folder.file("a.tideline"))
        let stored = try store.reading { connection in
            try connection.query("SELECT OrderDate FROM Orders ORDER BY OrderDate") { $0.string(0) }
        }
        #expect(stored == ["2026-03-08T06:30:00.000Z", "2026-03-08T07:30:00.000Z"])
    }
}
