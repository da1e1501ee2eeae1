// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineSync

/// Pulls that do not end as they began, after the changes of a set have come.
struct BrokenPullTests {
    @Test(arguments: [false, true])
    func `the changes of a set come again when the pull begins anew, also after the device was killed in it`(
        isKilled: Bool
    ) async throws {
        let served = try ServedDomain(.sqlite)
        var device = try await served.device("a")
        try served.write { try $0.insert(["OwnerId": .integer(1), "Text": .string("told")], into: "Events") }
        // One answer holds the event, and that the notes are not hers any more: the device looks at the list of sets
        // then, and begins anew with those that are left.
        served.setUser(UserContext(id: .integer(1), name: "ann", roles: ["clerk"]), of: "a")
        if isKilled {
            device = try await served.kill(device, before: 1)
            #expect(try device.rows("Events") == [])
        }
        #expect(try await device.sync().received == 1)
        #expect(try device.rows("Events").map { $0["Text"] } == [.string("told")])
    }
}
