// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineSync
import TidelineTestSupport

/// Devices of every version of a model, each with changes that wait, and the service of a later one.
struct VersionMatrixTests {
    /// What a device of a version writes while it is away: rows of its own, so that all of it has to arrive.
    private func write(_ device: Device, _ version: ModelVersion) async throws {
        let own = Int64(version.rawValue)
        try await device.update(.integer(1 + own), ["Text": .string("v\(own)")], in: "Notes")
        try await device.update(.integer(6 + own), [version.renamed: .string("r\(own)")], in: "Notes")
        try await device.delete(.integer(11 + own), in: "Notes")
        try await device.insert(
            ["Id": .integer(101 + own), "Text": .string("n\(own)"), "Amount": .integer(own)],
            into: "Notes"
        )
        if version >= .columnAdded {
            try await device.update(.integer(1 + own), ["More": .string("m\(own)")], in: "Notes")
        }
        if version >= .setAdded {
            try await device.insert(["Id": .integer(own), "Label": .string("l\(own)")], into: "Tags")
        }
    }

    private func text(_ device: Device, _ set: String, _ names: [String]) throws -> [String] {
        try device.rows(set).map { row in names.map { row[$0]?.text ?? "absent" }.joined(separator: "|") }.sorted()
    }

    /// What the service has to have when the devices of these versions have sent all that they wrote.
    ///
    /// - Parameter takes: whether a device's value of the renamed property arrives.
    private func expected(_ versions: [ModelVersion], takes: (ModelVersion) -> Bool) -> [String] {
        let rows = (1...20).compactMap { id -> String? in
            func made(_ first: Int) -> ModelVersion? { versions.first { $0.rawValue == id - first } }
            if made(11) != nil { return nil }
            let text = made(1).map { "v\($0.rawValue)" } ?? "t\(id)"
            let title = made(6).flatMap { takes($0) ? "r\($0.rawValue)" : nil } ?? "o\(id)"
            let more = made(1).flatMap { $0 >= .columnAdded ? "m\($0.rawValue)" : nil } ?? "d"
            return "\(id)|\(text)|\(title)|1|\(more)"
        }
        let inserted = versions.map { version in
            let own = version.rawValue
            return "\(101 + own)|n\(own)|absent|\(own)|d"
        }
        return (rows + inserted).sorted()
    }

    /// Devices of the versions up to `last`, each with changes that wait; the domain serves `last` then.
    private func devices(_ domain: ChangingDomain, upTo last: ModelVersion) async throws -> [(ModelVersion, Device)] {
        var devices: [(ModelVersion, Device)] = []
        for version in ModelVersion.allCases where version <= last {
            if version == .first { try version.serve(domain) } else { try version.take(domain) }
            let device = try await domain.device("v\(version.rawValue)")
            try await write(device, version)
            devices.append((version, device))
        }
        return devices
    }

    @Test(
        .covers("SB-W34"),
        arguments: ChangingDomain.Kind.allCases,
        [ModelVersion.columnAdded, .setAdded]
    )
    func `devices of older versions sync after a column and a set are added, lose nothing and see the same`(
        kind: ChangingDomain.Kind,
        served: ModelVersion
    ) async throws {
        let domain = try ChangingDomain(kind, ModelVersion.database)
        let devices = try await devices(domain, upTo: served)
        for (_, device) in devices { try await device.syncUntilDone() }
        for (_, device) in devices { try await device.syncUntilDone() }

        let fresh = try await domain.device("fresh")
        let known = ["Id", "Text", served.renamed, "Amount", "More"]
        let all = try text(fresh, "Notes", known)
        // The new column gave rows a value; the service's log reaches back to before, and tells that nobody changed them.
        #expect(all == expected(devices.map(\.0)) { $0.renamed == served.renamed })
        for (version, device) in devices {
            #expect(try device.store.status().pendingTransactions == 0, "\(version)")
            let names = known.filter { device.store.model[set: "Notes"]?.type.propertyIndex(wire: $0) != nil }
            #expect(try text(device, "Notes", names) == text(fresh, "Notes", names), "\(version)")
            // A value of a property that the service has under another name now is kept: in the conflict log where its
            // row has changed, or else in the quarantine, where nothing else is.
            let quarantined = try device.store.quarantined()
            let conflicts = try device.store.conflicts()
            let logged = conflicts.flatMap(\.properties).filter { $0.name == "Old" }.compactMap(\.mine.text)
            let kept =
                logged
                + quarantined.flatMap(\.changes).map {
                    "r\($0.key == Key([.integer(6 + Int64(version.rawValue))]) ? "\(version.rawValue)" : "?")"
                }
            #expect(kept == (version.renamed == served.renamed ? [] : ["r\(version.rawValue)"]), "\(version)")
            #expect(!conflicts.contains { $0.key == Key([.integer(11)]) }, "\(version)")
            if quarantined.isEmpty { #expect(try await device.verify().isEqual, "\(version)") }
        }
        let labels = devices.map(\.0).filter { $0 >= .setAdded }.map { "\($0.rawValue)|l\($0.rawValue)" }
        for (version, device) in devices where version >= .setAdded {
            #expect(try text(device, "Tags", ["Id", "Label"]) == labels)
        }
    }

    @Test(arguments: ChangingDomain.Kind.allCases)
    func `a file of each older version becomes the newest one with all that waits in it`(
        kind: ChangingDomain.Kind
    ) async throws {
        let domain = try ChangingDomain(kind, ModelVersion.database)
        let old = try await devices(domain, upTo: .columnWidened)
        let model = try #require(old.last).1.store.model
        let devices = try old.map { ($0.0, try domain.updated($0.1, to: model, $0.0.migrations)) }
        for (_, device) in devices { #expect(try device.store.droppedChanges().isEmpty) }
        for (_, device) in devices { try await device.syncUntilDone() }
        for (_, device) in devices { try await device.syncUntilDone() }

        let fresh = try await domain.device("fresh")
        let known = ["Id", "Text", "Title", "Amount", "More"]
        // The log began anew where the column was widened. The older files got the value that the new column gave to rows with
        // their new form, so that the rows of both sides are the same.
        #expect(try text(fresh, "Notes", known) == expected(devices.map(\.0)) { _ in true })
        for (version, device) in devices {
            #expect(try device.store.quarantined().isEmpty, "\(version)")
            #expect(try device.store.conflicts().isEmpty, "\(version)")
            #expect(try text(device, "Notes", known) == text(fresh, "Notes", known), "\(version)")
            #expect(try await device.verify().isEqual, "\(version)")
        }
    }

    @Test(
        arguments: ChangingDomain.Kind.allCases,
        [
            ("Text", Value.string(String(repeating: "long ", count: 12))), ("Amount", .null),
            ("Amount", .integer(100_000)),
        ]
    )
    func `a value that an older version's type does not hold leaves its device in step`(
        kind: ChangingDomain.Kind,
        change: (name: String, value: Value)
    ) async throws {
        let domain = try ChangingDomain(kind, ModelVersion.database)
        for version in ModelVersion.allCases where version < .columnWidened { try version.take(domain) }
        let old = try await domain.device("old")
        try ModelVersion.columnWidened.take(domain)
        let newest = try await domain.device("newest")
        try await newest.update(.integer(16), [change.name: change.value], in: "Notes")
        try await newest.sync()
        try await old.sync()
        #expect(try await old.verify().isEqual)
        #expect(try old.rows("Notes").first { $0["Id"] == .integer(16) }?[change.name] == change.value)
        // It sends on what it does not touch as the service has it.
        try await old.update(.integer(16), ["Title": .string("t")], in: "Notes")
        try await old.syncUntilDone()
        try await newest.sync()
        let row = try newest.rows("Notes").first { $0["Id"] == .integer(16) }
        #expect(row?[change.name] == change.value)
        #expect(row?["Title"] == .string("t"))
    }

    @Test(arguments: ChangingDomain.Kind.allCases, ModelVersion.allCases.dropFirst())
    func `a newer device at a service of the version before keeps what that does not take, and sends it when it does`(
        kind: ChangingDomain.Kind,
        newer: ModelVersion
    ) async throws {
        let domain = try ChangingDomain(kind, ModelVersion.database)
        for version in ModelVersion.allCases where version <= newer { try version.take(domain) }
        let device = try await domain.device("newer")
        try await write(device, newer)
        // Its own kind of value, where the version before has a narrower type.
        let long = String(repeating: "long ", count: 12)
        if newer == .columnWidened { try await device.update(.integer(16), ["Text": .string(long)], in: "Notes") }
        let older = try #require(ModelVersion(rawValue: newer.rawValue - 1))
        try older.serve(domain)
        try await device.syncUntilDone()

        // What both know is done, the rest is kept and its reason told.
        #expect(try device.store.status().pendingTransactions == 0)
        let own = newer.rawValue
        #expect(try domain.rows("Notes", "Id", "Text").contains("\(1 + own)|v\(own)"))
        let refused = try device.store.quarantined()
        for entry in refused {
            let names = entry.changes.flatMap { change -> [String] in
                let properties = device.store.model[set: change.set]?.type.properties ?? []
                return [change.set] + change.assignments.map { properties[$0.property].names.wire }
            }
            #expect(names.contains { entry.message.contains($0) }, "\(entry.code): \(entry.message)")
        }
        let lost = try device.store.conflicts().filter { $0.kind == .deletedHere }.map(\.key)
        let unsent = try device.store.conflicts().flatMap(\.properties).filter { !$0.mineWon }.map(\.name)

        // The service becomes the newer one again.
        try newer.serve(domain)
        try await device.syncUntilDone()
        for entry in refused where try device.store.quarantined().contains(where: { $0.id == entry.id }) {
            try device.store.retry(quarantined: entry.id)
        }
        try await device.syncUntilDone()
        #expect(try device.store.quarantined().map(\.message) == [])
        let fresh = try await domain.device("fresh")
        let known = ["Id", "Text", newer.renamed, "Amount", "More"]
            .filter { fresh.store.model[set: "Notes"]?.type.propertyIndex(wire: $0) != nil }
        let all = try text(fresh, "Notes", known)
        #expect(all.contains { $0.hasPrefix("\(101 + own)|n\(own)|") })
        let renamed = all.contains { $0.hasPrefix("\(6 + own)|") && $0.contains("|r\(own)|") }
        #expect(renamed != unsent.contains(newer.renamed))
        #expect(all.contains { $0.hasPrefix("\(11 + own)|") } == lost.contains(Key([.integer(Int64(11 + own))])))
        if newer == .columnWidened { #expect(all.contains { $0.hasPrefix("16|\(long)") }) }
        if newer == .setAdded { #expect(try text(fresh, "Tags", ["Id", "Label"]) == ["\(own)|l\(own)"]) }
        #expect(try text(device, "Notes", known) == all)
        #expect(try await device.verify().isEqual)
    }

    @Test(arguments: ChangingDomain.Kind.allCases)
    func `what an old release inserts after a rename is refused by name, and goes when the app is the new one`(
        kind: ChangingDomain.Kind
    ) async throws {
        let domain = try ChangingDomain(kind, ModelVersion.database)
        for version in ModelVersion.allCases where version <= .setAdded { try version.take(domain) }
        let old = try await domain.device("old")
        try await old.insert(["Id": .integer(101), "Text": .string("n"), "Old": .string("titled")], into: "Notes")
        try await old.update(.integer(2), ["Text": .string("goes on")], in: "Notes")
        try ModelVersion.propertyRenamed.take(domain)
        try await old.syncUntilDone()
        let refused = try #require(try old.store.quarantined().first)
        #expect(try old.store.quarantined().count == 1)
        #expect(refused.status == 400 && refused.message.contains("Old"), "\(refused.message)")
        #expect(try domain.rows("Notes", "Id", "Text")[1] == "2|goes on")

        let newest = try await domain.device("newest")
        let device = try domain.updated(old, to: newest.store.model, ModelVersion.setAdded.migrations)
        try device.store.retry(quarantined: refused.id)
        try await device.syncUntilDone()
        #expect(try device.store.quarantined().map(\.message) == [])
        #expect(try domain.rows("Notes", "Id", "Text", "Title").last == "101|n|titled")
        #expect(try await device.verify().isEqual)
    }
}
