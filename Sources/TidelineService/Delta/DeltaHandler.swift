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

    let read: ReadHandler
    let query: Query
    /// What its tokens are bound to.
    private let bound: [UInt8]
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
        bound = read.core.scope(of: query, call)
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
        return answer { writer, _ in writer.end(deltaLink: try link(.delta(since: position))) }
    }

    func answer(_ token: LinkToken) throws -> Answer {
        guard token.scope == bound else { throw Self.scopeChanged }
        switch token.place {
        case .page, .trackedPage, .rest:
            throw ODataError(service: ServiceCode.invalidToken, "A next link is no delta link.", target: "$deltatoken")
        case .delta(let since): return try answer(since: since, after: nil, seen: [])
        case .deltaOfLoad(let since, let seen): return try answer(since: since, after: nil, seen: seen)
        case .deltaPage(let since, let after, let seen): return try answer(since: since, after: after, seen: seen)
        case .relatedPage(let delta, let place):
            let position = try reader.position()
            let limit = limit(at: delta.pages.count)
            return answer { writer, bytes in
                let page = try page(since: delta.since, seen: delta.seen, rows: limit, writer, bytes)
                try tellRelated(delta, from: place, at: position, page, writer)
            }
        }
    }

    /// The changed rows first, in the order of their changes; then those whose related entities changed.
    private func answer(since: FeedPosition, after: FeedPosition?, seen: [FeedPosition]) throws -> Answer {
        let position = try reader.position()
        if position == since {
            return answer { writer, _ in writer.end(deltaLink: try link(.delta(since: position))) }
        }
        let moments = seen.last == position ? seen : seen + [position]
        let limit = limit(at: moments.count)
        return answer { writer, bytes in
            let page = try page(since: since, seen: seen, rows: limit, writer, bytes)
            if let next = try page.tellOwn(after: after, scope: scope) {
                writer.end(nextLink: try link(.deltaPage(since: since, after: next, seen: moments)))
                return
            }
            let delta = LinkToken.RelatedDelta(since: since, seen: seen, start: position, pages: [])
            try tellRelated(delta, from: DeltaStage.Place(), at: position, page, writer)
        }
    }

    /// Tells what did not change itself, and ends the page.
    ///
    /// The delta link counts from where that began: what changes meanwhile the next delta tells.
    private func tellRelated(
        _ delta: LinkToken.RelatedDelta,
        from place: DeltaStage.Place,
        at position: FeedPosition,
        _ page: DeltaPage,
        _ writer: JSONEntityWriter
    ) throws {
        var delta = delta
        if position != (delta.pages.last ?? delta.start) { delta.pages.append(position) }
        let changes = RelatedChanges(
            page: page,
            planner: core.planner,
            reader: reader,
            user: call.user,
            plan: query.plan,
            moments: [delta.since] + delta.seen,
            told: position == delta.start ? nil : delta.start
        )
        if let next = try changes.tell(from: place) {
            writer.end(nextLink: try link(.relatedPage(delta, next)))
        } else if delta.pages.isEmpty {
            writer.end(deltaLink: try link(.delta(since: delta.start)))
        } else {
            writer.end(deltaLink: try link(.deltaOfLoad(since: delta.start, seen: delta.pages)))
        }
    }

    /// The most rows of a page that is read at one more moment than so many; `nil` where there are no pages.
    private func limit(at moments: Int) -> Int? {
        guard call.isPaged, moments <= Self.momentLimit else { return nil }
        return min(call.preferences.maxPageSize ?? core.planner.limits.pageRows, core.planner.limits.pageRows)
    }

    private func page(
        since: FeedPosition,
        seen: [FeedPosition],
        rows: Int?,
        _ writer: JSONEntityWriter,
        _ bytes: @escaping () -> Int
    ) throws -> DeltaPage {
        try DeltaPage(
            read,
            query,
            since: since,
            seen: seen,
            rows: rows,
            isFlat: isFlat,
            format: call.format,
            writer: writer,
            bytes: bytes
        )
    }

    /// Whether nothing stands in the rows: so it is in version 4.0.
    private var isFlat: Bool { call.version == .v40 && !query.plan.expansions.isEmpty }

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
        let token = core.text(of: LinkToken(place: place, scope: bound))
        switch place {
        case .deltaPage, .relatedPage: return Link(call: call).next(token)
        default: return Link(call: call).delta(token)
        }
    }

    /// - Parameter write: gets the writer and what says how many bytes there are.
    private func answer(_ write: @escaping (JSONEntityWriter, @escaping () -> Int) throws -> Void) -> Answer {
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
                var drained = 0
                writer.onFull = onFull.map { drain in
                    { output in
                        let before = output.count
                        drain(output)
                        drained += before - output.count
                    }
                }
                query.prepare(writer, core)
                writer.begin(.delta, contextRoot: call.contextRoot)
                try write(writer) { drained + output.count }
                core.exceptions.note(writer)
            }
        )
    }
}
