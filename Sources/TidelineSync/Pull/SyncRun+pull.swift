// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineClient
import TidelineModel
import TidelineOData
import TidelineStorage
import TidelineStore

/// What the commands of a pull hand to each other.
struct PullWork {
    /// The subscriptions by their sets.
    var subscriptions: [String: Subscription] = [:]
    /// The set that is being loaded.
    var load: Load?
    /// The delta links of complete loads, not stored yet.
    var loaded: [String: String] = [:]
    /// Sets that were read whole, because the service tracks no changes of them (a view): compared by key and ETag.
    var untracked: Set<String> = []
    var checkpoint: Checkpoint?

    /// A load that goes on over several pages.
    ///
    /// The guard of the sink: the pages of a set follow each other, each is received after the one before.
    final class Load: @unchecked Sendable {
        let first: FirstLoad
        let sink: LoadSink

        init(first: FirstLoad, sink: LoadSink) {
            self.first = first
            self.sink = sink
        }
    }
}

extension SyncRun {
    func prepare() async throws -> SyncEvent {
        let subscriptions = try await store.perform { try $0.subscriptions() }
        pull.subscriptions = Dictionary(subscriptions.map { ($0.set, $0) }, uniquingKeysWith: { first, _ in first })
        let loads = subscriptions.map(\.set).filter { set in
            pull.subscriptions[set]?.deltaLink == nil && pull.loaded[set] == nil && !pull.untracked.contains(set)
        }
        return .prepared(loads: loads, isEmpty: subscriptions.isEmpty)
    }

    func loadPage(set: String, link: String?) async throws -> SyncEvent {
        let load: PullWork.Load
        if let link, let begun = pull.load, begun.first.set.names.wire == set, link != begun.first.link {
            load = begun
        } else {
            load = try await beginLoad(set)
        }
        let response = try await client.get(link ?? load.first.link, preferences: FirstLoad.preferences)
        let page: JSONEntityReader.Page
        do {
            page = try await store.perform { _ in
                let page = try Answers.read { () throws(ODataError) in
                    try JSONEntityReader(shape: load.first.shape).readPage(response.body, into: load.sink)
                }
                FailPoint.visit("pull.middle-of-page")
                try load.sink.finish()
                return page
            }
        } catch let error as ClientError {
            // Rows before the mistake are in the hidden table: the load begins again.
            throw Fault.gone(error)
        }
        if page.nextLink == nil {
            if let deltaLink = page.deltaLink {
                pull.loaded[set] = deltaLink
            } else {
                pull.untracked.insert(set)
            }
            pull.load = nil
        }
        return .page(rows: page.rows, next: page.nextLink)
    }

    private func beginLoad(_ set: String) async throws -> PullWork.Load {
        guard let subscription = pull.subscriptions[set] else {
            throw SyncError(.unknownSet, "There is no subscription of \(set).", advice: "Clone the data again.")
        }
        let first = try FirstLoad(subscription, model: store.model)
        let load = try await store.perform { store in
            PullWork.Load(first: first, sink: try store.beginLoad(set: set, columns: first.columns))
        }
        pull.load = load
        return load
    }

    func fetchDeltas() async throws -> SyncEvent {
        let identity = try await store.perform { try $0.identity() }
        var links = pull.subscriptions.compactMapValues(\.deltaLink)
        links.merge(pull.loaded) { _, new in new }
        guard !links.isEmpty else {
            pull.checkpoint = Checkpoint(deltaLinks: [:], loads: pull.untracked)
            return .staged
        }
        let batch = DeltaBatch(links)
        let response = try await client.batch(batch.body, fields: batch.fields(client: identity.clientID))
        let items = Dictionary(response.batch.items.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var expired: Set<String> = []
        var next: [String: String] = [:]
        for (place, entry) in batch.links.enumerated() {
            guard let item = items["\(place)"] else {
                throw SyncError(
                    .unexpectedAnswer,
                    "The answer lacks the changes of \(entry.set).",
                    advice: "Sync again."
                )
            }
            switch item.status {
            case 200 where expired.isEmpty: next[entry.set] = try await stage(item.body, set: entry.set)
            case 200: continue
            case 410: expired.insert(entry.set)
            default: throw failure(item, set: entry.set)
            }
        }
        if !expired.isEmpty {
            for set in expired { pull.loaded[set] = nil }
            return .expired(expired)
        }
        FailPoint.visit("pull.staged")
        pull.checkpoint = Checkpoint(
            deltaLinks: next,
            loads: pull.untracked.union(pull.loaded.keys),
            staged: Set(next.keys),
            decided: response.head.headerFields[.tidelineDecided].flatMap { Int64($0) }
        )
        return .staged
    }

    /// - Returns: the next delta link.
    private func stage(_ body: [UInt8], set: String) async throws -> String {
        guard let subscription = pull.subscriptions[set] else { return "" }
        let first = try FirstLoad(subscription, model: store.model)
        let page = try await store.perform { store in
            let stage = try store.stage(set: set, columns: first.columns)
            let page = try Answers.read { () throws(ODataError) in
                try JSONEntityReader(shape: first.shape).readPage(body, into: StagingSink(stage))
            }
            FailPoint.visit("pull.middle-of-page")
            try stage.finish()
            return page
        }
        guard let link = page.deltaLink, page.nextLink == nil else {
            throw SyncError(.unexpectedAnswer, "The changes of \(set) have no delta link.", advice: "Sync again.")
        }
        return link
    }

    private func failure(_ item: BatchResponse.Item, set: String) -> any Error {
        let service = ErrorBody.read(item.body)
        if item.status >= 500 || item.status == 429 || item.status == 408 {
            return ClientError(
                .busy,
                service?.message ?? "The service did not give the changes of \(set).",
                advice: "Sync again later.",
                status: item.status,
                service: service
            )
        }
        return ClientError(
            item.status == 403 ? .forbidden : .refused,
            service?.message ?? "The service refuses the changes of \(set).",
            advice: "Clone again without \(set), or ask the administrator of the domain.",
            status: item.status,
            service: service
        )
    }

    func forget(_ sets: Set<String>) async throws -> SyncEvent {
        try await store.perform { try $0.forgetDeltaLinks(of: sets) }
        return .forgotten
    }

    func apply() async throws -> SyncEvent {
        guard let checkpoint = pull.checkpoint else { preconditionFailure("Nothing was received.") }
        FailPoint.visit("pull.before-commit")
        let report = try await store.perform { try $0.apply(checkpoint) }
        pull = PullWork()
        return .applied(report)
    }
}
