// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
public import TidelineClient
import TidelineModel
import TidelineOData
public import TidelineStore

/// Compares a store with its service, row by row: keys, versions and values of everything that is subscribed.
///
/// Reads only. Changes made on the service between the last sync and the comparison show as differences.
public struct StoreVerifier: Sendable {
    private let store: LocalStore
    private let client: ODataClient

    public init(store: LocalStore, client: ODataClient) {
        self.store = store
        self.client = client
    }

    /// What the service refuses or fails to give of one set keeps no other one from being compared, and is told.
    ///
    /// - Parameter progress: told the set and the rows compared so far.
    /// - Throws: ``ClientError``, ``SyncError`` or `LocalStoreError`.
    public func verify(progress: (@Sendable (String, Int) -> Void)? = nil) async throws -> VerifyReport {
        var report = VerifyReport()
        let (identity, subscriptions) = try await store.perform { (try $0.identity(), try $0.subscriptions()) }
        var client = client
        client.device = identity.clientID.text
        report.properties = try await properties(of: subscriptions)
        for subscription in subscriptions {
            let comparison = try Comparison(subscription, store: store)
            try await comparison.readVersions()
            do {
                try await compare(comparison, client, progress)
            } catch let error as ClientError where error.isOfSet {
                report.failures.append((subscription.set, error.naming(subscription.set)))
                continue
            }
            report.compared.append((subscription.set, comparison.rows))
            report.differences += comparison.finish()
        }
        return report
    }

    private func properties(of subscriptions: [Subscription]) async throws -> [PropertyDifference] {
        let service: EntityModel
        do {
            service = try await client.metadata().model
        } catch let error as ClientError where error.status != nil || error.code == .unreadableAnswer {
            return []
        }
        return subscriptions.compactMap { subscription in
            guard let mine = store.model[set: subscription.set], let theirs = service[set: subscription.set] else {
                return nil
            }
            return PropertyDifference(subscription, store: mine, service: theirs)
        }
    }

    private func compare(
        _ comparison: Comparison,
        _ client: ODataClient,
        _ progress: (@Sendable (String, Int) -> Void)?
    ) async throws {
        var link: String? = comparison.first.link
        while let next = link {
            let response: TransportResponse
            do {
                response = try await client.get(next, preferences: "maxpagesize=2000")
            } catch let error as ClientError {
                // A set that the user may not read has no rows.
                guard try await client.withholds(comparison.name, error) else { throw error }
                return
            }
            link = try await store.perform { try comparison.compare(page: response.body, store: $0) }
            progress?(comparison.name, comparison.rows)
        }
    }
}

/// The comparison of one set, page by page.
private final class Comparison: Sendable {
    let first: FirstLoad
    /// Held while a page is compared.
    private let state = Mutex(State())
    private let store: LocalStore

    private struct State {
        var rows = 0
        var differences: [VerifyReport.Difference] = []
        /// The rows of the store that the service has not named yet.
        var left: [Key: (etag: ETag?, isPending: Bool)] = [:]
        /// The rows that are deleted here, which the service is still to be told.
        var removed: Set<Key> = []
    }

    init(_ subscription: Subscription, store: LocalStore) throws {
        first = try FirstLoad(subscription, model: store.model)
        self.store = store
    }

    var name: String { first.set.names.wire }

    /// The rows compared so far.
    var rows: Int { state.withLock { $0.rows } }

    func readVersions() async throws {
        try await store.perform { store in
            var left: [Key: (etag: ETag?, isPending: Bool)] = [:]
            try store.versions(of: self.name) { key, etag, isPending in left[key] = (etag, isPending) }
            let removed = try store.removedKeys(of: self.name)
            self.state.withLock { ($0.left, $0.removed) = (left, removed) }
        }
    }

    /// - Returns: the link of the next page.
    func compare(page body: [UInt8], store: LocalStore) throws -> String? {
        let sink = EntityCollector(columns: first.shape.columns)
        let page = try Answers.read { () throws(ODataError) in
            try JSONEntityReader(shape: first.shape).readPage(body, into: sink)
        }
        let rows = sink.rows
        try store.read { reader in
            try state.withLock { state in
                for row in rows { try compare(row, reader, &state) }
                state.rows += rows.count
            }
        }
        return page.nextLink
    }

    private func compare(_ row: EntityCollector.Row, _ reader: LocalReader, _ state: inout State) throws {
        let type = first.set.type
        let key = Key(type.key.compactMap { place in first.columns.firstIndex(of: place).map { row.values[$0] } })
        guard let version = state.left.removeValue(forKey: key) else {
            let kind: VerifyReport.Difference.Kind = state.removed.contains(key) ? .pending : .missingHere
            state.differences.append(.init(set: name, key: key, kind: kind))
            return
        }
        if version.isPending {
            state.differences.append(.init(set: name, key: key, kind: .pending))
            return
        }
        let local: [String: Value]
        do {
            local = try reader.entity(key, in: name) ?? [:]
        } catch let error as LocalStoreError where error.code == .corrupt && !error.properties.isEmpty {
            state.differences.append(
                .init(set: name, key: key, kind: .unreadableHere, properties: error.properties)
            )
            return
        }
        let different = first.columns.enumerated().compactMap { offset, place -> String? in
            let wire = type.properties[place].names.wire
            return local[wire] == Self.held(row.values[offset]) ? nil : wire
        }
        // Equal values under another version: the values of properties that are not subscribed differ.
        let isOld = version.etag != row.etag && row.etag != nil
        if !different.isEmpty || isOld {
            state.differences.append(.init(set: name, key: key, kind: .values, properties: different))
        }
    }

    /// The value as a device holds it: SQLite keeps NaN as null.
    private static func held(_ value: Value) -> Value {
        guard case .double(let number) = value, number.isNaN else { return value }
        return .null
    }

    /// All differences: also the rows that the service did not name.
    func finish() -> [VerifyReport.Difference] {
        state.withLock { state in
            let rest = state.left.sorted { "\($0.key)" < "\($1.key)" }
            return state.differences
                + rest.map { key, version in
                    VerifyReport.Difference(set: name, key: key, kind: version.isPending ? .pending : .missingThere)
                }
        }
    }
}
