// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// Tells what changed in a query's result since a position.
///
/// A row that matches now is sent whole. A row that does not, but could be seen at the position, is sent as removed.
/// The key of any other row is never sent. Source: OData Protocol 4.01, section 11.3; JSON Format 4.01, section 15.
struct DeltaHandler {
    /// Pages of one delta may be read at so many different moments; then the rest is told at once.
    private static let momentLimit = 8
    /// So many keys are looked at together.
    private static let chunk = 200

    let read: ReadHandler
    let query: Query
    private var core: Core { read.core }
    private var call: Call { read.call }
    private var reader: any StoreReader { read.reader }

    static let scopeChanged = ODataError(
        service: ServiceCode.scopeChanged,
        "What you may see, or what is asked for, has changed since the link was made: load again."
    )

    init(read: ReadHandler, query: Query) throws(ODataError) {
        var call = read.call
        // A value that became null, or its default, is a change: it is never left out. Nor is an entity that changed.
        (call.format.omits, call.format.refersToEntities) = (nil, false)
        self.read = ReadHandler(core: read.core, reader: read.reader, call: call)
        self.query = query
        if let reason = read.reasonAgainstTracking(query) {
            throw ODataError(
                .notSupported,
                "The changes of this query cannot be told: \(reason)",
                target: "$deltatoken"
            )
        }
    }

    /// An empty delta whose link starts now: `$deltatoken=latest`.
    func latest() throws -> Answer {
        let position = try reader.position()
        return answer { writer in writer.end(deltaLink: try self.link(.delta(since: position))) }
    }

    func answer(_ token: LinkToken) throws -> Answer {
        guard token.scope == core.scope(of: query, call) else { throw Self.scopeChanged }
        switch token.place {
        case .page, .trackedPage:
            throw ODataError(service: ServiceCode.invalidToken, "A next link is no delta link.", target: "$deltatoken")
        case .delta(let since): return try answer(since: since, after: nil, seen: [])
        case .deltaOfLoad(let since, let seen): return try answer(since: since, after: nil, seen: seen)
        case .deltaPage(let since, let after, let seen): return try answer(since: since, after: after, seen: seen)
        }
    }

    private func answer(since: FeedPosition, after: FeedPosition?, seen: [FeedPosition]) throws -> Answer {
        let position = try reader.position()
        if position == since {
            return answer { writer in writer.end(deltaLink: try self.link(.delta(since: position))) }
        }
        let trackers = try ([since] + seen).map {
            try ChangeTracker(model: core.planner.model, reader: reader, query: query, user: call.user, since: $0)
        }
        // The pages before were read at other moments, and what they showed the client holds.
        var earlier: [[Key: [Value?]?]] = []
        for tracker in trackers.dropFirst() {
            var rows: [Key: [Value?]?] = [:]
            _ = try tracker.own(scope: nil) { rows[$0.key] = .some($0.before) }
            earlier.append(rows)
        }
        let moments = seen.last == position ? seen : seen + [position]
        let limit =
            call.isPaged && moments.count <= Self.momentLimit
            ? min(call.preferences.maxPageSize ?? core.planner.limits.pageRows, core.planner.limits.pageRows) : nil
        return answer { writer in
            // Of a flat delta every row is followed by what it lost, so that is found first.
            var related = self.isFlat ? try self.expanded(since: [since] + seen) : nil
            var pending: [ChangeTracker.Candidate] = []
            var told: Set<Key> = []
            let receive = { (candidate: ChangeTracker.Candidate) in
                guard told.insert(candidate.key).inserted else { return }
                pending.append(candidate)
                if pending.count == Self.chunk {
                    try self.write(pending, trackers, earlier, related?.lost ?? [:], to: writer)
                    pending.removeAll(keepingCapacity: true)
                }
            }
            let next = try trackers[0].own(after: after, limit: limit, scope: self.scope, receive)
            if next == nil {
                try trackers[0].fannedOut(receive)
                if related == nil { related = try self.expanded(since: [since] + seen) }
                for key in related?.owners ?? [] { try receive(ChangeTracker.Candidate(key: key, before: nil)) }
            }
            try self.write(pending, trackers, earlier, related?.lost ?? [:], to: writer)
            if let next {
                writer.end(nextLink: try self.link(.deltaPage(since: since, after: next, seen: moments)))
            } else {
                writer.end(deltaLink: try self.link(.delta(since: position)))
            }
        }
    }

    /// Whether nothing stands in the rows: so it is in version 4.0.
    private var isFlat: Bool { call.version == .v40 && !query.plan.expansions.isEmpty }

    /// The rows whose related entities changed since one of some moments, in an order that is the same each time, and
    /// what rows were related to.
    ///
    /// Those that cannot be seen are no news of their own: a candidate without a before-image is sent only when it
    /// matches.
    private func expanded(
        since moments: [FeedPosition]
    ) throws -> (owners: [Key], lost: [ExpansionChanges.Way: Set<Key>]) {
        guard !query.plan.expansions.isEmpty else { return ([], [:]) }
        var owners: Set<Key> = []
        var lost: [ExpansionChanges.Way: Set<Key>] = [:]
        for moment in moments {
            var changes = ExpansionChanges(model: core.planner.model, reader: reader, user: call.user, since: moment)
            owners.formUnion(try changes.owners(of: query.plan.expansions, in: query.plan.set, behind: query.policy))
            lost.merge(changes.lost) { $0.union($1) }
        }
        return (owners.sorted { "\($0)" < "\($1)" }, lost)
    }

    /// Writes those of the candidates that match now, then the removal of those that the client may hold.
    private func write(
        _ candidates: [ChangeTracker.Candidate],
        _ trackers: [ChangeTracker],
        _ earlier: [[Key: [Value?]?]],
        _ lost: [ExpansionChanges.Way: Set<Key>],
        to writer: JSONEntityWriter
    ) throws {
        guard !candidates.isEmpty else { return }
        let set = query.plan.set
        var plan = query.plan
        plan.filter = .all(plan.filter, .isKey(candidates.map(\.key), of: set.type))
        plan.orderBy = []
        plan.pageLimit = .unlimited
        var matching: Set<Key> = []
        let note = { (key: Key) in _ = matching.insert(key) }
        let sink: any RowSink =
            isFlat
            ? FlatSink(
                writer,
                plan,
                query.shape,
                format: call.format,
                contextRoot: call.contextRoot,
                lost: lost,
                receive: note
            ) : NotingSink(writer, set.type, columns: plan.columns) { key, _ in note(key) }
        _ = try reader.read(plan, into: sink)
        for candidate in candidates where !matching.contains(candidate.key) {
            let stored = try reader.entity(candidate.key, in: set)
            guard try mayBeHeld(candidate, now: stored, trackers, earlier) else { continue }
            writer.removed(key: candidate.key, reason: stored == nil ? .deleted : .changed)
        }
    }

    /// Whether the client may hold a row: it could be seen where the delta starts, or when an earlier page was read.
    private func mayBeHeld(
        _ candidate: ChangeTracker.Candidate,
        now stored: StoredEntity?,
        _ trackers: [ChangeTracker],
        _ earlier: [[Key: [Value?]?]]
    ) throws -> Bool {
        var isUnknown = false
        for (place, tracker) in trackers.enumerated() {
            var row = candidate.before
            if place > 0 { row = earlier[place - 1][candidate.key] ?? stored?.values.map { $0 } }
            switch try tracker.visibility(row) {
            case .visible: return true
            case .hidden: continue
            case .unknown: isUnknown = true
            }
        }
        // To send the key might tell of a row that was never seen; to send nothing might leave a row that may no
        // longer be seen. A fresh load does neither.
        if isUnknown { throw Self.scopeChanged }
        return false
    }

    /// The property by which the store can list the user's changes alone.
    private var scope: ChangeQuery.Scope? {
        let set = query.plan.set
        guard let place = query.policy?.ownerProperty,
            core.scopeProperties[set.names.wire]?.contains(set.type.properties[place].names.wire) == true
        else { return nil }
        let value = call.user.value(nil, as: set.type.properties[place].type)
        return value.isNull ? nil : ChangeQuery.Scope(property: place, value: value)
    }

    private func link(_ place: LinkToken.Place) throws -> String {
        let token = core.text(of: LinkToken(place: place, scope: core.scope(of: query, call)))
        if case .deltaPage = place { return Link(call: call).next(token) }
        return Link(call: call).delta(token)
    }

    private func answer(_ write: @escaping (JSONEntityWriter) throws -> Void) -> Answer {
        var fields = read.fields(contentType: call.format.contentType)
        var applied = call.applied
        applied.tracksChanges = call.preferences.tracksChanges
        fields[.preferenceApplied] = applied.headerValue
        return Answer(
            .ok,
            fields: fields,
            body: .stream { [query, call, isFlat] output, onFull in
                let writer = JSONEntityWriter(
                    shape: isFlat ? query.shape.flat : query.shape,
                    format: call.format,
                    type: query.plan.set.type,
                    output: output
                )
                writer.onFull = onFull
                query.prepare(writer)
                writer.begin(.delta, contextRoot: call.contextRoot)
                try write(writer)
            }
        )
    }
}
