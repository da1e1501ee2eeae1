// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineClient
import TidelineModel
import TidelineStore
import TidelineSync

/// A device of a simulation: its file, its user, and the syncs that run on it.
final class DeviceNode: Sendable {
    private struct State {
        var store: LocalStore?
        var lists: [FollowedList] = []
        var commits = 0
        /// Which start of the app this is; a task of an earlier one is of no account.
        var start = 0
        /// What waited to be sent when the app ended.
        var waitedAtEnd: Set<String> = []
        var isSyncing = false
    }

    let name: String
    /// Its place among the devices, under which it waits and sends.
    let index: Int
    let user: UserContext
    let path: String
    /// Where its tasks wait.
    private let loop: Loop
    private let identities: String
    private let transport: SimulatedTransport
    private let options: SyncOptions
    private let state: Confined<State>

    /// The open store; `nil` while the app does not run.
    var store: LocalStore? { state.store }
    /// Lists that the app shows, while it runs.
    var lists: [FollowedList] { state.lists }
    /// Whether a sync runs in this start of the app.
    var isSyncing: Bool { state.isSyncing }
    /// How many transactions it committed.
    var commits: Int {
        get { state.commits }
        set { state.commits = newValue }
    }

    init(
        _ loop: Loop,
        index: Int,
        user: UserContext,
        folder: String,
        network: SimulatedNetwork,
        options: SyncOptions
    ) throws {
        self.loop = loop
        state = Confined(State(), to: loop)
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
        let cloner = StoreCloner(client: client(of: service), settings: settings, options: options)
        state.store = try await cloner.clone(to: path).store
        try showLists()
    }

    /// Shows two lists: all boats by their miles, and the first trips by their names.
    private func showLists() throws {
        guard let store, let boats = store.model[set: "Boats"], let trips = store.model[set: "Trips"],
            let miles = boats.type.propertyIndex(wire: "Miles"), let name = trips.type.propertyIndex(wire: "Name")
        else { return }
        state.lists = [
            try FollowedList(store, of: boats, by: miles, isDescending: true),
            try FollowedList(store, of: trips, by: name, top: 5),
        ]
    }

    /// Syncs once, where the app runs and no sync does; the store follows its service to another address first.
    ///
    /// - Returns: what was done, or `nil` where the app was killed meanwhile or did not run.
    /// - Throws: what the sync throws.
    func sync(with service: ServiceAddress) async throws -> SyncReport? {
        guard let store, !isSyncing else { return nil }
        state.isSyncing = true
        let mine = state.start
        defer { if mine == state.start { state.isSyncing = false } }
        do {
            let client = client(of: service)
            try await StoreMover(client: client, options: options).follow(store)
            let report = try await SyncEngine(store: store, client: client, options: options).syncAlone()
            return mine == state.start ? report : nil
        } catch {
            guard mine == state.start else { return nil }
            throw error
        }
    }

    /// Ends the app in the middle of whatever it does.
    func kill() {
        state.waitedAtEnd = (try? waitingTexts()) ?? []
        state.start += 1
        state.isSyncing = false
        state.lists = []
        try? store?.close()
        state.store = nil
        loop.interrupt(index)
    }

    /// The texts that wait to be sent, also while the app does not run.
    func waitingTexts() throws -> Set<String> {
        guard let store else { return state.waitedAtEnd }
        return Set(try store.pendingChanges().flatMap(\.new.values).compactMap(\.text))
    }

    /// Starts the app.
    func open() throws {
        guard store == nil else { return }
        state.store = try LocalStore(path: path, settings: settings)
        try showLists()
    }
}
