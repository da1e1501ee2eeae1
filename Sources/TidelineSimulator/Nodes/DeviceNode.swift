// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineClient
import TidelineModel
import TidelineStore
import TidelineSync

/// A device of a simulation: its file, its user, and the syncs that run on it.
///
/// `@unchecked Sendable`: the loop's one thread uses it, which ``Loop/requireThread()`` checks.
final class DeviceNode: @unchecked Sendable {
    let name: String
    /// Its place among the devices, under which it waits and sends.
    let index: Int
    let user: UserContext
    /// The open store; `nil` while the app does not run.
    private(set) var store: LocalStore?
    /// Lists that the app shows, while it runs.
    private(set) var lists: [FollowedList] = []
    /// How many transactions it committed.
    var commits = 0
    let path: String
    /// Where its tasks wait.
    private let loop: Loop
    private let identities: String
    private let transport: SimulatedTransport
    private let options: SyncOptions
    /// Which start of the app this is; a task of an earlier one is of no account.
    private var start = 0
    /// What waited to be sent when the app ended.
    private var waitedAtEnd: Set<String> = []
    /// Whether a sync runs in this start of the app.
    private(set) var isSyncing = false

    init(
        _ loop: Loop,
        index: Int,
        user: UserContext,
        folder: String,
        network: SimulatedNetwork,
        options: SyncOptions
    ) throws {
        self.loop = loop
        self.index = index
        self.user = user
        self.options = options
        name = String(UnicodeScalar(UInt8(97 + index % 26)))
        path = "\(folder)/\(name).tideline"
        identities = "\(folder)/\(name).identity"
        try FileManager.default.createDirectory(atPath: identities, withIntermediateDirectories: true)
        transport = SimulatedTransport(network: network, device: index, user: user)
    }

    private func client(of service: ServiceAddress) -> ODataClient {
        ODataClient(session: Session(address: service, transport: transport))
    }

    private var settings: StoreSettings {
        var settings = StoreSettings(identityFolder: identities, watchInterval: nil)
        settings.worksInPlace = true
        return settings
    }

    /// Loads everything for the first time.
    func clone(from service: ServiceAddress) async throws {
        loop.requireThread()
        let cloner = StoreCloner(client: client(of: service), settings: settings, options: options)
        store = try await cloner.clone(to: path).store
        try showLists()
    }

    /// Shows two lists: all boats by their miles, and the first trips by their names.
    private func showLists() throws {
        guard let store, let boats = store.model[set: "Boats"], let trips = store.model[set: "Trips"],
            let miles = boats.type.propertyIndex(wire: "Miles"), let name = trips.type.propertyIndex(wire: "Name")
        else { return }
        lists = [
            try FollowedList(store, of: boats, by: miles, isDescending: true),
            try FollowedList(store, of: trips, by: name, top: 5),
        ]
    }

    /// Syncs once, where the app runs and no sync does; the store follows its service to another address first.
    ///
    /// - Returns: what was done, or `nil` where the app was killed meanwhile or did not run.
    /// - Throws: what the sync throws.
    func sync(with service: ServiceAddress) async throws -> SyncReport? {
        loop.requireThread()
        guard let store, !isSyncing else { return nil }
        isSyncing = true
        let mine = start
        defer { if mine == start { isSyncing = false } }
        do {
            let client = client(of: service)
            try await StoreMover(client: client, options: options).follow(store)
            let report = try await SyncEngine(store: store, client: client, options: options).syncAlone()
            return mine == start ? report : nil
        } catch {
            guard mine == start else { return nil }
            throw error
        }
    }

    /// Ends the app in the middle of whatever it does.
    func kill() {
        loop.requireThread()
        waitedAtEnd = (try? waitingTexts()) ?? []
        start += 1
        isSyncing = false
        lists = []
        try? store?.close()
        store = nil
        loop.interrupt(index)
    }

    /// The texts that wait to be sent, also while the app does not run.
    func waitingTexts() throws -> Set<String> {
        guard let store else { return waitedAtEnd }
        return Set(try store.pendingChanges().flatMap(\.new.values).compactMap(\.text))
    }

    /// Starts the app.
    func open() throws {
        loop.requireThread()
        guard store == nil else { return }
        store = try LocalStore(path: path, settings: settings)
        try showLists()
    }
}
