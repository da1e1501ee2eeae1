// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineAccounts

struct DeviceTests {
    private static let start: Int64 = 1_800_000_000
    private let world: AccountsWorld
    private var accounts: Accounts { world.accounts }

    init() throws { world = try AccountsWorld() }

    private func note(
        _ client: String,
        user: String? = "ann",
        agent: String? = "Tideline/1",
        in domain: String = "shop"
    )
        throws
    {
        try accounts.noteDevice(client, domain: domain, user: user, agent: agent)
    }

    private func device(_ client: String) throws -> Device? {
        try accounts.devices(of: "shop").first { $0.client == client }
    }

    @Test func `a device is noted when it comes, and again after ten minutes or with another user or version`() throws {
        try note("b")
        try note("a", user: nil, agent: nil)
        try note("c", in: "club")
        #expect(
            try accounts.devices(of: "shop") == [
                Device(domain: "shop", client: "a", user: "", agent: "", firstSeen: Self.start, lastSeen: Self.start),
                Device(
                    domain: "shop",
                    client: "b",
                    user: "ann",
                    agent: "Tideline/1",
                    firstSeen: Self.start,
                    lastSeen: Self.start
                ),
            ]
        )
        world.pass(seconds: 599)
        try note("b")
        #expect(try device("b")?.lastSeen == Self.start)
        world.pass(seconds: 1)
        try note("b")
        #expect(try device("b")?.lastSeen == Self.start + 600)
        #expect(try device("b")?.firstSeen == Self.start)
        world.pass(seconds: 1)
        try note("b", user: "bob")
        #expect(try device("b")?.user == "bob" && device("b")?.lastSeen == Self.start + 601)
        try note("b", user: "bob", agent: String(repeating: "x", count: 300))
        #expect(try device("b")?.agent.count == 200)
    }

    @Test func `a revoked device is refused by each process, and no other one, until that is taken back`() throws {
        let other = try world.anotherProcess()
        try note("a")
        try note("b")
        try other.noteDevice("a", domain: "shop", user: "ann", agent: "Tideline/1")
        try accounts.setRevoked(true, device: "a", domain: "shop")
        let refusal = #expect(throws: AccountsError.self) { try note("a") }
        #expect(refusal?.code == .revokedDevice)
        try note("b")
        // The other process sees it when it looks again.
        world.pass(seconds: 5)
        let late = #expect(throws: AccountsError.self) {
            try other.noteDevice("a", domain: "shop", user: "ann", agent: "Tideline/1")
        }
        #expect(late?.code == .revokedDevice)
        #expect(try device("a")?.revokedAt == Self.start && device("a")?.lastSeen == Self.start)
        try accounts.setRevoked(true, device: "a", domain: "shop")
        #expect(try device("a")?.revokedAt == Self.start)
        try accounts.setRevoked(false, device: "a", domain: "shop")
        try note("a")
        #expect(try device("a")?.revokedAt == nil)
    }

    @Test func `a device that nobody knows cannot be revoked, and devices go with the users of a domain`() throws {
        let error = #expect(throws: AccountsError.self) {
            try accounts.setRevoked(true, device: "a", domain: "shop")
        }
        #expect(error?.code == .unknownDevice)
        try note("a")
        try note("a", in: "club")
        try accounts.removeUsers(of: "shop")
        #expect(try accounts.devices(of: "shop") == [])
        #expect(try accounts.devices(of: "club").count == 1)
    }
}
