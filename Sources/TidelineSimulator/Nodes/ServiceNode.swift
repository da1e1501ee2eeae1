// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineClient
import TidelineMemory
import TidelineModel
import TidelineSQLite
import TidelineService
import TidelineStorage

/// The service of a simulation: the domain over one of the stores, and what befalls a server.
final class ServiceNode: Sendable {
    /// Where the rows are.
    enum Storage: String, CaseIterable, Sendable {
        /// A database in a file.
        case sqlite
        /// Many versions in memory: transactions commit in any order, as on PostgreSQL.
        case memory
    }

    private struct State {
        var store: any Store
        var service: ODataService
        var address: ServiceAddress
        var isUp = true
        var brokenSets: Set<String> = []
    }

    let model: EntityModel
    let path: String
    private let limits: ServiceLimits
    private let clock: @Sendable () -> Int64
    private let seed: UInt64
    /// What the service reported as its own failures since it was asked last.
    private let failures = FailureList()
    private let state: Confined<State>

    var store: any Store { state.store }
    var isUp: Bool { state.isUp }
    /// Where devices find it.
    var address: ServiceAddress { state.address }
    /// The sets that it fails to read.
    var brokenSets: Set<String> {
        get { state.brokenSets }
        set { state.brokenSets = newValue }
    }
    /// Whether other programs can write to its database.
    var isFile: Bool { store is SQLiteStore }

    /// - Parameters:
    ///   - path: of the database, which exists and is published.
    ///   - clock: seconds from 1970.
    init(
        _ loop: Loop,
        _ storage: Storage,
        path: String,
        model: EntityModel,
        limits: ServiceLimits,
        seed: UInt64,
        clock: @escaping @Sendable () -> Int64
    ) throws {
        self.path = path
        self.model = model
        self.limits = limits
        self.clock = clock
        self.seed = seed
        let store = try ServiceNode.open(storage, path, model, seed, clock)
        let service = try ServiceNode.service(store, model, limits, failures, clock)
        let address = try ServiceAddress(ServiceNode.firstAddress)
        state = Confined(State(store: store, service: service, address: address), to: loop)
    }

    private static let firstAddress = "http://127.0.0.1/odata/regatta/"
    private static let otherAddress = "http://127.0.0.2/odata/regatta/"

    private static func open(
        _ storage: Storage,
        _ path: String,
        _ model: EntityModel,
        _ seed: UInt64,
        _ clock: @escaping @Sendable () -> Int64
    ) throws -> any Store {
        switch storage {
        case .sqlite:
            return try SQLiteStore(path: path, model: model, options: .init(scopes: [Regatta.diary: ["Owner"]]))
        case .memory:
            return MemoryStore(model: model, random: SeededGenerator(seed: seed)) {
                DateTimeOffset(seconds: clock())
            }
        }
    }

    private static func service(
        _ store: any Store,
        _ model: EntityModel,
        _ limits: ServiceLimits,
        _ failures: FailureList,
        _ clock: @escaping @Sendable () -> Int64
    ) throws -> ODataService {
        let domain = Domain(
            name: "regatta",
            database: .init(path: "regatta.sqlite"),
            model: model,
            policies: Regatta.policies(model),
            limits: limits
        )
        return try ODataService(
            domain: domain,
            store: store,
            signingKey: Regatta.keys,
            report: { _, error in failures.add("\(error)") },
            now: clock
        )
    }

    /// Answers a request in place.
    func answer(_ request: HTTPRequest, _ body: [UInt8], user: UserContext) throws -> TransportResponse {
        let response = state.service.respond(to: request, body: body, user: user)
        let whole = TransportResponse(head: response.head, body: try response.body.all())
        return brokenSets.isEmpty ? whole : try BrokenSets(names: brokenSets).spoiled(whole, to: request, body)
    }

    /// The failures that no client is to blame for, since the last call.
    func takeFailures() -> [String] { failures.take() }

    // MARK: What befalls a server

    /// Publishes the database anew, while no process serves it.
    func publishAnew() throws {
        stop()
        try Regatta.publishAnew(path: path)
        try start()
    }

    /// Takes the other one of two addresses.
    func move() throws {
        state.address = try ServiceAddress(
            address.text == ServiceNode.firstAddress ? ServiceNode.otherAddress : ServiceNode.firstAddress
        )
    }

    /// Ends the process: what was acknowledged is in the database, and nothing else.
    func stop() {
        state.isUp = false
        try? (store as? SQLiteStore)?.close()
    }

    /// Begins a process over the same database.
    func start() throws {
        if isFile { state.store = try ServiceNode.open(.sqlite, path, model, seed, clock) }
        state.service = try ServiceNode.service(store, model, limits, failures, clock)
        state.isUp = true
    }
}
