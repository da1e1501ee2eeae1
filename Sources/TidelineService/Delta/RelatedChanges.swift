// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Tells the rows that did not change themselves, but whose related entities did, or what conditions look at.
///
///     changes of a stage ──► a few at a time ──► the rows that they concern ──► the page
///                                                      too many for the page: one change, row by row
///
/// It ends where the page is full, and goes on there on the next. What changes in between is told by the next delta.
struct RelatedChanges {
    /// One piece of the work would concern more rows than the page has room for.
    private struct Overflow: Error {}

    /// What a stage needs.
    private struct Source {
        var changes: ExpansionChanges
        var tracker: ChangeTracker
        var condition: TypedExpression?
        /// The places of the properties by which the rows are related.
        var tied: [Int]
        var isOfLinks: Bool
        var level: Int
    }

    /// So many changes are read at once.
    private static let fetch = 4_000

    let page: DeltaPage
    let planner: Planner
    let reader: any StoreReader
    let user: UserContext
    let plan: ReadPlan
    /// Since when changes count: where the delta starts, then what else the client was shown.
    let moments: [FeedPosition]
    /// Where the rows were told that changed themselves, when that was on an earlier page.
    let told: FeedPosition?

    /// - Returns: where the next page goes on; `nil` when all is told.
    func tell(from place: DeltaStage.Place) throws -> DeltaStage.Place? {
        let stages = DeltaStage.stages(of: plan, moments: moments.count, hasRoutes: page.trackers[0].hasRoutes)
        var place = place
        while place.stage < stages.count {
            if let stop = try tell(stages[place.stage], from: place) { return stop }
            place = DeltaStage.Place(stage: place.stage + 1)
        }
        return nil
    }

    private func tell(_ stage: DeltaStage, from place: DeltaStage.Place) throws -> DeltaStage.Place? {
        if stage.levels.isEmpty {
            return try parts(place, lost: { [:] }) { receive in try page.trackers[0].fannedOut(told: told, receive) }
        }
        let source = try source(of: stage)
        switch stage.cause {
        case .related, .links: return try follow(source, from: place)
        case .conditions, .linkConditions:
            return try parts(place, lost: source.changes.takeLost) { receive in
                var pending: [ChangeTracker.Candidate] = []
                try source.tracker.fannedOut(told: told) { candidate in
                    pending.append(candidate)
                    guard pending.count == ExpansionChanges.chunk else { return }
                    try self.lead(pending, source) { try receive(ChangeTracker.Candidate(key: $0, before: nil)) }
                    pending = []
                }
                try lead(pending, source) { try receive(ChangeTracker.Candidate(key: $0, before: nil)) }
            }
        }
    }

    private func source(of stage: DeltaStage) throws -> Source {
        let level = stage.levels.count - 1
        let (set, expansion) = (stage.levels[level].set, stage.levels[level].expansion)
        let link = expansion.link(of: set)
        let isOfLinks = stage.cause == .links || stage.cause == .linkConditions
        let changes = ExpansionChanges(
            model: planner.model,
            reader: reader,
            user: user,
            levels: stage.levels,
            notesLost: page.isFlat
        )
        let target = expansion.plan.set
        var tied: [Int]
        if let link {
            let toTarget = link.set.type.navigationProperties[link.toTarget].constraints
            let toOwner = link.set.type.navigationProperties[link.toOwner].constraints
            tied = isOfLinks ? (toTarget + toOwner).map(\.source) : toTarget.map(\.target)
        } else {
            tied = set.type.navigationProperties[expansion.navigation].constraints.map(\.target)
        }
        if page.isFlat, !isOfLinks {
            for inner in expansion.plan.expansions {
                let navigation = target.type.navigationProperties[inner.navigation]
                if navigation.isDependent { tied += navigation.constraints.map(\.source) }
            }
        }
        let tracker = try ChangeTracker(
            model: planner.model,
            reader: reader,
            set: isOfLinks ? link?.set ?? target : target,
            policy: isOfLinks ? expansion.linkFilter : try planner.visibility(target, user),
            filter: isOfLinks ? nil : expansion.plan.filter,
            user: user,
            since: moments[stage.moment]
        )
        return Source(
            changes: changes,
            tracker: tracker,
            condition: isOfLinks ? expansion.linkFilter : expansion.plan.filter,
            tied: tied,
            isOfLinks: isOfLinks,
            level: level
        )
    }

    /// Pushes the keys of the rows that changes concern.
    private func lead(
        _ candidates: [ChangeTracker.Candidate],
        _ source: Source,
        _ receive: (Key) throws -> Void
    ) throws {
        let states = try source.changes.states(of: candidates, source.tracker, source.condition, tied: source.tied)
        if source.isOfLinks {
            try source.changes.lead(links: states, from: source.level, receive)
        } else {
            try source.changes.lead(states, from: source.level, receive)
        }
    }

    // MARK: Change by change

    /// Goes over the changes in their order, a few at a time.
    private func follow(_ source: Source, from start: DeltaStage.Place) throws -> DeltaStage.Place? {
        var place = start
        while true {
            if page.isFull || page.workLeft <= 0 { return place }
            var fetched: [ChangeTracker.Candidate] = []
            let next = try source.tracker.own(after: place.after, limit: Self.fetch, scope: nil) { fetched.append($0) }
            page.worked(fetched.count)
            if let stop = try follow(fetched, source, &place) { return stop }
            guard let next else { return nil }
            place.after = next
        }
    }

    private func follow(
        _ fetched: [ChangeTracker.Candidate],
        _ source: Source,
        _ place: inout DeltaStage.Place
    ) throws -> DeltaStage.Place? {
        func stop(_ place: DeltaStage.Place, after done: Int) throws -> DeltaStage.Place {
            guard done > 0 else { return place }
            var place = place
            place.after = try source.tracker.own(after: place.after, limit: done, scope: nil) { _ in }
            return place
        }
        var done = 0
        var size = ExpansionChanges.chunk
        while done < fetched.count {
            // One that changed again meanwhile comes later, with all that it concerns.
            if !place.row.isEmpty, place.row != Self.packed(fetched[done].key) { (place.row, place.cursor) = ([], []) }
            if place.row.isEmpty {
                if page.isFull { return try stop(place, after: done) }
                let window = Array(fetched[done..<min(done + size, fetched.count)])
                if let owners = try owners(window, source) {
                    try page.tellAll(owners, source.changes.takeLost())
                    done += window.count
                    size = min(ExpansionChanges.chunk, size * 2)
                    continue
                }
                _ = source.changes.takeLost()
                size = max(1, window.count / 4)
                if window.count > 1 { continue }
                place.row = Self.packed(fetched[done].key)
            }
            let one = [fetched[done]]
            let rest = try parts(place, lost: source.changes.takeLost) { receive in
                try lead(one, source) { try receive(ChangeTracker.Candidate(key: $0, before: nil)) }
            }
            if let rest { return try stop(rest, after: done) }
            (place.row, place.cursor) = ([], [])
            done += 1
        }
        return nil
    }

    /// The rows that some changes concern; `nil` where they are more than the page has room for.
    private func owners(
        _ candidates: [ChangeTracker.Candidate],
        _ source: Source
    ) throws -> [ChangeTracker.Candidate]? {
        let room = page.room
        var owners: Set<Key> = []
        do {
            try lead(candidates, source) { key in
                owners.insert(key)
                if owners.count > room { throw Overflow() }
            }
        } catch is Overflow {
            return nil
        }
        return owners.map { (Self.packed($0), $0) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }.map {
            ChangeTracker.Candidate(key: $0.1, before: nil)
        }
    }

    // MARK: Row by row

    /// Tells the rows that `produce` pushes in the order of their packed keys, from where the page before ended.
    ///
    /// They are pushed anew for each page; memory holds as many as a page may tell.
    private func parts(
        _ start: DeltaStage.Place,
        lost: () -> [ExpansionChanges.Way: Set<Key>],
        _ produce: ((ChangeTracker.Candidate) throws -> Void) throws -> Void
    ) throws -> DeltaStage.Place? {
        var place = start
        while true {
            if page.isFull { return place }
            var first = FirstKeys(after: place.cursor, limit: min(page.rowsLeft, Self.fetch))
            try produce { first.add($0) }
            let (candidates, hasMore) = first.finish()
            let gone = lost()
            let done = try page.tell(candidates) { _ in gone }
            if done > 0 { place.cursor = Self.packed(candidates[done - 1].key) }
            if done < candidates.count { return place }
            if !hasMore { return nil }
        }
    }

    /// A key as bytes, by which rows are told in an order that is always the same.
    static func packed(_ key: Key) -> [UInt8] {
        var writer = PackedWriter()
        for value in key.values { writer.value(value) }
        return writer.bytes
    }
}
