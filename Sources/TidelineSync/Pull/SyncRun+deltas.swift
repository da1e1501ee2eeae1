// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineClient
import TidelineModel
import TidelineOData
import TidelineStorage
import TidelineStore

extension SyncRun {
    /// The first page of the changes of a set, or why the service does not give it.
    private typealias DeltaAnswer = Result<[UInt8], ClientError>

    /// What came of the links of all sets.
    private struct Deltas {
        /// The links of the next changes, where those till now are staged.
        var staged: [String: String] = [:]
        /// Sets whose links are good no more.
        var expired: Set<String> = []
        /// Why the service did not give the changes of a set.
        var failed: [String: ClientError] = [:]
    }

    func fetchDeltas() async throws -> SyncEvent {
        let identity = try await identity()
        var links = pull.subscriptions.compactMapValues(\.deltaLink)
        links.merge(pull.loaded) { _, new in new }
        pull.exceptions.staged = [:]
        let batch = DeltaBatch(links)
        let response = try await deltas(batch, client: identity.clientID)
        var deltas = Deltas()
        for entry in batch.links {
            guard let answer = response.answers[entry.set] else {
                throw SyncError(
                    .unexpectedAnswer,
                    "The answer lacks the changes of \(entry.set).",
                    advice: "Sync again."
                )
            }
            try await take(answer, of: entry, &deltas)
        }
        guard deltas.expired.isEmpty else {
            for set in deltas.expired { pull.loaded[set] = nil }
            return .expired(deltas.expired)
        }
        pull.failure = deltas.failed.min { $0.key < $1.key }?.value
        let loads = pull.untracked.union(pull.withheld).union(pull.loaded.keys)
        if let failure = pull.failure, deltas.staged.isEmpty, loads.isEmpty { throw failure }
        FailPoint.visit("pull.staged")
        var checkpoint = Checkpoint(
            // What was loaded of a set whose later changes failed goes on from there.
            deltaLinks: deltas.staged.merging(links.filter { deltas.failed[$0.key] != nil }) { staged, _ in staged },
            loads: loads,
            withheld: pull.withheld,
            staged: Set(deltas.staged.keys),
            decided: response.decided,
            // What was read whole was read before: the device knows no state of all that it has.
            position: pull.untracked.isEmpty ? response.eventID : nil
        )
        let isLoaded = pull.subscriptions.keys.allSatisfy { links[$0] != nil || loads.contains($0) }
        checkpoint.isPartial = !deltas.failed.isEmpty || !isLoaded
        pull.checkpoint = checkpoint
        // What was read whole was read before.
        pull.eventID = pull.untracked.isEmpty && !checkpoint.isPartial ? response.eventID : nil
        return .staged
    }

    /// Stages what came of a set, or notes why nothing did.
    private func take(_ answer: DeltaAnswer, of entry: (set: String, link: String), _ deltas: inout Deltas) async throws
    {
        do {
            let page = try answer.get()
            guard deltas.expired.isEmpty else { return }
            deltas.staged[entry.set] = try await stage(page, set: entry.set, request: entry.link)
        } catch let error as ClientError {
            // A server that was set up anew, or whose domain has another name, knows its own earlier links no more.
            if error.status == 410 || error.service?.code == "InvalidToken" {
                deltas.expired.insert(entry.set)
                if error.service?.code == "ScopeChanged" { pull.narrowed.insert(entry.set) }
            } else if error.isOfSet {
                deltas.failed[entry.set] = error.naming(entry.set)
            } else if try await client.withholds(entry.set, error) {
                // It is loaded anew, as after 410, and nothing comes.
                deltas.expired.insert(entry.set)
            } else {
                throw error.naming(entry.set)
            }
        }
    }

    /// The first pages of the changes: of one snapshot by a batch, or one by one where the service takes no JSON batch.
    private func deltas(_ batch: DeltaBatch, client identifier: GUID) async throws -> (
        answers: [String: DeltaAnswer], decided: Int64?, eventID: String?
    ) {
        var answers: [String: DeltaAnswer] = [:]
        guard !batch.links.isEmpty else { return (answers, nil, nil) }
        guard try await payloadVersion() == .v401 else {
            for entry in batch.links { answers[entry.set] = try await delta(entry.link) }
            return (answers, nil, nil)
        }
        let asked = if let seen = pull.seen { seen.epoch } else { try await look().epoch }
        pull.seen = nil
        let response = try await client.batch(batch.body, fields: batch.fields(client: identifier))
        try await noteEpoch(response.head, asked: asked)
        for item in response.batch.items {
            guard let place = Int(item.id), batch.links.indices.contains(place) else { continue }
            let set = batch.links[place].set
            answers[set] = answers[set] ?? (item.status == 200 ? .success(item.body) : .failure(.answer(item)))
        }
        let fields = response.head.headerFields
        return (answers, fields[.tidelineDecided].flatMap { Int64($0) }, fields[.tidelineEventID])
    }

    private func delta(_ link: String) async throws -> DeltaAnswer {
        do {
            return .success(try await client.get(link).body)
        } catch let error as ClientError
            where error.isOfService || error.isRefusal || [403, 404, 410].contains(error.status)
        {
            return .failure(error)
        }
    }

    /// Stages all pages of the changes of a set.
    ///
    /// - Returns: the next delta link.
    private func stage(_ body: [UInt8], set: String, request: String) async throws -> String {
        guard let subscription = pull.subscriptions[set] else { return "" }
        let first = try FirstLoad(subscription, model: store.model)
        let claim = try await claim()
        let (receiver, firstPage) = try await store.perform { store in
            let receiver = PageReceiver(try store.stage(set: set, columns: first.columns, claim: claim))
            return (receiver, try receiver.stage(body, shape: first.shape))
        }
        var page = firstPage
        var request = request
        while true {
            pull.exceptions.staged[set, default: [:]].merge(page.exceptions, uniquingKeysWith: +)
            guard let next = page.nextLink else {
                guard let link = page.deltaLink else { break }
                return try client.relativeAddress(of: link, context: page.context, request: request)
            }
            let link = try client.address(of: next, context: page.context, request: request)
            guard link != request else { break }
            request = link
            let body = try await client.get(link).body
            page = try await store.perform { _ in try receiver.stage(body, shape: first.shape) }
        }
        throw SyncError(.unexpectedAnswer, "The changes of \(set) have no delta link.", advice: "Sync again.")
    }

    func forget(_ sets: Set<String>) async throws -> SyncEvent {
        let claim = try await claim()
        let narrowed = pull.narrowed
        try await store.perform { try $0.forgetDeltaLinks(of: sets, narrowed: narrowed, claim: claim) }
        return .forgotten
    }
}
