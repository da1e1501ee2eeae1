// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import Tideline
import TidelineTestSupport

@testable import TidelineStore

/// The program, which script/test names.
private let binary = ProcessInfo.processInfo.environment["TIDELINE_BINARY"]

/// Another process, the program `tideline`, writes to the file of a live list.
@Suite(.enabled(if: binary != nil, "TIDELINE_BINARY names no program"))
struct OtherProcessTests {
    @Test(.timeLimit(.minutes(1)))
    func `what another process commits comes as a batch`() async throws {
        let shop = try ShopStore()
        let list = try LiveList(shop.store, Client.all.sorted { $0.clientName })
        var changes = list.changes.makeAsyncIterator()
        #expect(try await changes.next()?.changes.count == 3)
        let id = "00000000-0000-0009-0000-000000000009"
        try tideline(
            ["insert", shop.store.path, "Clients", #"{"ClientId":"\#(id)","ClientName":"Abe"}"#],
            home: shop.store.path + "-home"
        )
        let place = ListPlace(section: 0, row: 0)
        #expect(try await changes.next()?.changes == [.insert(Key([.guid(GUID(high: 9, low: 9))]), to: place)])
        #expect(try list[0, 0]?.clientName == "Abe")
    }

    private func tideline(_ arguments: [String], home: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(binary))
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        for name in ["HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] { environment[name] = home }
        process.environment = environment
        process.standardOutput = FileHandle.nullDevice
        try process.begin()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
