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
        let isClaimed = pull.claim != nil
        // A store that was moved meanwhile is not asked for at its old address.
        let (identity, content) = try await look { store in
            // Before the links are read: what comes between ends the claim.
            (claim: isClaimed ? nil : try store.claimPull(), subscriptions: try store.subscriptions())
        }
        let claim = try await claim(content.claim)
        // A pull that was waited for may have left other links.
        let isOld = content.claim?.isContested ?? false
        let subscriptions = isOld ? try await store.perform { try $0.subscriptions() } : content.subscriptions
        pull.seen = isOld ? nil : identity
        pull.subscriptions = Dictionary(subscriptions.map { ($0.set, $0) }, uniquingKeysWith: { first, _ in first })
        let loads = subscriptions.map(\.set).filter { set in
            pull.subscriptions[set]?.deltaLink == nil && pull.loaded[set] == nil && !pull.untracked.contains(set)
                && !pull.withheld.contains(set)
        }
        if !loads.isEmpty { try await store.perform { try $0.prepareLoads(of: loads, claim: claim) } }
        return .prepared(loads: loads, isEmpty: subscriptions.isEmpty)
    }

    /// How long another pull of the store may be silent before it counts as killed, and how often it is waited for.
    private static let silence = (rest: Duration.seconds(4), most: 10)

    /// What the pull at hand holds of the store; another one that goes on is waited for.
    ///
    /// - Parameter first: what was just read of it, if it was.
    func claim(_ first: PullClaim? = nil) async throws -> PullClaim {
        if let claim = pull.claim { return claim }
        var claim = if let first { first } else { try await store.perform { try $0.claimPull() } }
        var rounds = 0
        while claim.isContested {
            rounds += 1
            guard rounds <= Self.silence.most else {
                throw LocalStoreError(.busy, message: "Another sync of the store goes on. Sync again.")
            }
            try await options.sleep(Self.silence.rest)
            let later = try await store.perform { try $0.claimPull() }
            let isSilent = later.isSame(as: claim)
            claim = later
            if isSilent { break }
        }
        pull.claim = claim
        heart.take(claim)
        return claim
    }

    func loadPage(set: String, link: String?) async throws -> SyncEvent {
        pull.seen = nil
        let load: PullWork.Load
        if let link, let begun = pull.load, begun.first.set.names.wire == set, link != begun.first.link {
            load = begun
        } else {
            load = try await beginLoad(set)
        }
        let response: TransportResponse
        do {
            response = try await page(set, at: link, of: load.first)
        } catch let error as ClientError {
            if error.service?.code == "ScopeChanged" {
                // Between two pages: the load begins anew, and what it brings no more may be hidden.
                let claim = try await claim()
                try await store.perform { try $0.forgetDeltaLinks(of: [set], narrowed: [set], claim: claim) }
            }
            guard link == nil, try await client.withholds(set, error) else {
                let error = error.naming(set, isFiltered: link == nil && pull.subscriptions[set]?.filter != nil)
                // Such as a filter that names what the service has no more.
                guard link == nil, error.isRefusal else { throw error }
                throw Fault.unfit(error)
            }
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
            throw try await explained(error, of: load.first.set)
        }
        pull.exceptions.loaded[set, default: [:]].merge(page.exceptions, uniquingKeysWith: +)
        let request = link ?? load.first.link
        let next = try page.nextLink.map { try client.address(of: $0, context: page.context, request: request) }
        guard next != request else {
            throw SyncError(.unexpectedAnswer, "The pages of \(set) do not end.", advice: "Sync again.")
        }
        if next == nil {
            if let deltaLink = page.deltaLink {
                pull.loaded[set] = try client.relativeAddress(of: deltaLink, context: page.context, request: request)
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
            case .refused, .notFound, .serverFailure: pull.uncounted.insert(set)
            case .timedOut:
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
        try await checkKey(of: first.set)
        let claim = try await claim()
        let receiver = try await store.perform { store in
            PageReceiver(try store.beginLoad(set: set, columns: first.columns, claim: claim))
        }
        let load = PullWork.Load(first: first, receiver: receiver)
        pull.load = load
        pull.exceptions.loaded[set] = nil
        return load
    }

    func apply() async throws -> SyncEvent {
        guard let checkpoint = pull.checkpoint else { preconditionFailure("Nothing was received.") }
        // A sign-in on demand comes with the first request.
        let content = try await checkUser().content
        FailPoint.visit("pull.before-commit")
        let claim = try await claim()
        var report = try await store.perform { try $0.apply(checkpoint, content: content, claim: claim) }
        report.leftOut = pull.leftOut
        board.reach(pull.eventID)
        let failure = pull.failure
        pull = PullWork()
        return .applied(report, failure: failure.map { Fault($0) }, jitter: options.random())
    }
}
