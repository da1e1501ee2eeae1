// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineClient
import TidelineModel
import TidelineOData
import TidelineStorage
import TidelineStore

extension SyncRun {
    func prepare() async throws -> SyncEvent {
        _ = try await identity()
        let subscriptions = try await store.perform { try $0.subscriptions() }
        pull.subscriptions = Dictionary(subscriptions.map { ($0.set, $0) }, uniquingKeysWith: { first, _ in first })
        let loads = subscriptions.map(\.set).filter { set in
            pull.subscriptions[set]?.deltaLink == nil && pull.loaded[set] == nil && !pull.untracked.contains(set)
                && !pull.withheld.contains(set)
        }
        try await store.perform { try $0.prepareLoads(of: loads) }
        return .prepared(loads: loads, isEmpty: subscriptions.isEmpty)
    }

    func loadPage(set: String, link: String?) async throws -> SyncEvent {
        let load: PullWork.Load
        if let link, let begun = pull.load, begun.first.set.names.wire == set, link != begun.first.link {
            load = begun
        } else {
            load = try await beginLoad(set)
        }
        let response: TransportResponse
        do {
            response = try await page(set, at: link, of: load.first)
        } catch let error as ClientError where link == nil {
            guard try await isWithheld(set, error.status, error.service) else { throw error }
            // The empty table takes the place of what the user may not have any more.
            pull.load = nil
            pull.withheld.insert(set)
            return .page(rows: 0, next: nil)
        }
        let page: JSONEntityReader.Page
        do {
            page = try await store.perform { _ in
                try load.receiver.load(response.body, shape: load.first.shape)
            }
        } catch let error as ClientError {
            if link == nil { pull.uncounted.insert(set) }
            // Rows before the mistake are in the hidden table: the load begins again.
            throw Fault.gone(error)
        }
        pull.exceptions.loaded[set, default: [:]].merge(page.exceptions, uniquingKeysWith: +)
        let request = link ?? load.first.link
        let next = try page.nextLink.map { try client.address(of: $0, context: page.context, request: request) }
        guard next != request else {
            throw SyncError(.unexpectedAnswer, "The pages of \(set) do not end.", advice: "Sync again.")
        }
        if next == nil {
            if let deltaLink = page.deltaLink {
                pull.loaded[set] = try client.address(of: deltaLink, context: page.context, request: request)
            } else {
                pull.untracked.insert(set)
            }
            pull.load = nil
        }
        return .page(rows: page.rows, total: page.count, next: next)
    }

    /// The page at `link`, or the first with the number of all rows, which a service need not tell.
    private func page(_ set: String, at link: String?, of load: FirstLoad) async throws -> TransportResponse {
        let preferences = FirstLoad.preferences(try await payloadVersion())
        guard link == nil, !pull.uncounted.contains(set) else {
            return try await client.get(link ?? load.link, preferences: preferences)
        }
        do {
            return try await client.get(load.countingLink, preferences: preferences)
        } catch let error as ClientError {
            switch error.code {
            case .refused, .notFound: pull.uncounted.insert(set)
            case .serverFailure, .timedOut:
                // Whether it is the number, the next attempt shows.
                pull.uncounted.insert(set)
                throw error
            default: throw error
            }
        }
        return try await client.get(load.link, preferences: preferences)
    }

    private func beginLoad(_ set: String) async throws -> PullWork.Load {
        guard let subscription = pull.subscriptions[set] else {
            throw SyncError(.unknownSet, "There is no subscription of \(set).", advice: "Clone the data again.")
        }
        let first = try FirstLoad(subscription, model: store.model)
        let receiver = try await store.perform { store in
            PageReceiver(try store.beginLoad(set: set, columns: first.columns))
        }
        let load = PullWork.Load(first: first, receiver: receiver)
        pull.load = load
        pull.exceptions.loaded[set] = nil
        return load
    }

    func fetchDeltas() async throws -> SyncEvent {
        let identity = try await identity()
        var links = pull.subscriptions.compactMapValues(\.deltaLink)
        links.merge(pull.loaded) { _, new in new }
        guard !links.isEmpty else {
            let loads = pull.untracked.union(pull.withheld)
            pull.checkpoint = Checkpoint(deltaLinks: [:], loads: loads, withheld: pull.withheld)
            return .staged
        }
        pull.exceptions.staged = [:]
        let batch = DeltaBatch(links)
        let response = try await deltas(batch, client: identity.clientID)
        let items = Dictionary(response.items.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var expired: Set<String> = []
        var failed: [String: any Error] = [:]
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
            case 200 where expired.isEmpty:
                if let link = try await stage(item.body, set: entry.set, request: entry.link) {
                    next[entry.set] = link
                } else {
                    expired.insert(entry.set)
                }
            case 200: continue
            case 410: expired.insert(entry.set)
            default:
                if try await isWithheld(entry.set, item.status, ErrorBody.read(item.body)) {
                    // It is loaded anew, as after 410, and nothing comes.
                    expired.insert(entry.set)
                    continue
                }
                // What the service fails of in one set, such as a key that is none, holds no other set up.
                let failure = failure(item, set: entry.set)
                guard item.status >= 500 else { throw failure }
                failed[entry.set] = failure
            }
        }
        if !expired.isEmpty {
            for set in expired { pull.loaded[set] = nil }
            return .expired(expired)
        }
        let staged = Set(next.keys)
        pull.failure = failed.min { $0.key < $1.key }?.value
        let isNothing = staged.isEmpty && pull.untracked.isEmpty && pull.withheld.isEmpty
        if let failure = pull.failure, isNothing { throw failure }
        for entry in batch.links where failed[entry.set] != nil { next[entry.set] = entry.link }
        FailPoint.visit("pull.staged")
        var checkpoint = Checkpoint(
            deltaLinks: next,
            loads: pull.untracked.union(pull.withheld).union(pull.loaded.keys),
            withheld: pull.withheld,
            staged: staged,
            decided: response.decided,
            position: response.eventID
        )
        checkpoint.isPartial = !failed.isEmpty
        pull.checkpoint = checkpoint
        // What was read whole was read before.
        pull.eventID = pull.untracked.isEmpty && failed.isEmpty ? response.eventID : nil
        return .staged
    }

    /// The first pages of the changes: of one snapshot by a batch, or one by one where the service takes no JSON batch.
    private func deltas(_ batch: DeltaBatch, client identifier: GUID) async throws -> (
        items: [BatchResponse.Item], decided: Int64?, eventID: String?
    ) {
        guard try await payloadVersion() == .v401 else {
            var items: [BatchResponse.Item] = []
            for (place, entry) in batch.links.enumerated() {
                items.append(try await item("\(place)", entry.link))
            }
            return (items, nil, nil)
        }
        let response = try await client.batch(batch.body, fields: batch.fields(client: identifier))
        try await noteEpoch(response.head)
        let fields = response.head.headerFields
        return (response.batch.items, fields[.tidelineDecided].flatMap { Int64($0) }, fields[.tidelineEventID])
    }

    /// Stages all pages of the changes of a set.
    ///
    /// - Returns: the next delta link, or `nil` when the changes are not served any more.
    private func stage(_ body: [UInt8], set: String, request: String) async throws -> String? {
        guard let subscription = pull.subscriptions[set] else { return "" }
        let first = try FirstLoad(subscription, model: store.model)
        let receiver = try await store.perform { PageReceiver(try $0.stage(set: set, columns: first.columns)) }
        var body = body
        var request = request
        while true {
            let content = body
            let page = try await store.perform { _ in try receiver.stage(content, shape: first.shape) }
            pull.exceptions.staged[set, default: [:]].merge(page.exceptions, uniquingKeysWith: +)
            guard let next = page.nextLink else {
                guard let link = page.deltaLink else { break }
                return try client.address(of: link, context: page.context, request: request)
            }
            let link = try client.address(of: next, context: page.context, request: request)
            guard link != request else { break }
            request = link
            do {
                body = try await client.get(link).body
            } catch let error as ClientError where error.code == .gone {
                return nil
            }
        }
        throw SyncError(.unexpectedAnswer, "The changes of \(set) have no delta link.", advice: "Sync again.")
    }

    /// Whether the service says that the user may not read a set (any more), and goes on speaking to the user.
    ///
    /// Rows are removed for it, so neither a proxy nor a service at another address is believed: the answer is an error
    /// of OData, the service document can be read, and does not name what is said not to be there.
    private func isWithheld(_ set: String, _ status: Int?, _ service: ODataError?) async throws -> Bool {
        guard service != nil, status == 403 || status == 404 else { return false }
        let isNamed = try await client.entitySets().contains(set)
        return status == 403 || !isNamed
    }

    private func failure(_ item: BatchResponse.Item, set: String) -> any Error {
        let service = ErrorBody.read(item.body)
        if item.status >= 500 || item.status == 429 || item.status == 408 {
            return ClientError(
                .busy,
                service.map { "\(set): \($0.message)" } ?? "The service did not give the changes of \(set).",
                advice: "Sync again later.",
                status: item.status,
                service: service
            )
        }
        return ClientError(
            item.status == 403 ? .forbidden : .refused,
            service.map { "\(set): \($0.message)" } ?? "The service refuses the changes of \(set).",
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
        // A sign-in on demand comes with the first request.
        let content = try await checkUser().content
        FailPoint.visit("pull.before-commit")
        var report = try await store.perform { try $0.apply(checkpoint, content: content) }
        report.leftOut = pull.leftOut
        board.reach(pull.eventID)
        let failure = pull.failure
        pull = PullWork()
        return .applied(report, failure: failure.map { Fault($0) }, jitter: options.random())
    }
}
