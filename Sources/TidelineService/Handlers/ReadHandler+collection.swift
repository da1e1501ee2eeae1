// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

extension ReadHandler {
    /// A page of a collection, or its changes.
    func collection(_ collection: Resource.Collection) throws -> Answer {
        guard collection.keyStart.isEmpty else { throw ODataError(.notFound, "The key is not complete.") }
        if let transformations = call.options.apply { return try aggregation(collection, transformations) }
        var query = try core.planner.query(
            collection.set,
            call.options,
            restriction: collection.restriction,
            as: collection.derivedType,
            paging: paging,
            for: call.user
        )
        if collection.set.isContained { query.shape.containedIn = collection.containedIn }
        query.plan.source = collection.source
        if call.format.metadata == .full, query.filter == nil, query.restriction == nil, collection.source == nil {
            query.shape.collectionOperations = core.planner.advertised(
                collection.set,
                as: collection.derivedType,
                isCollection: true,
                call.user
            )
        }
        if collection.source != nil, call.options.deltaToken != nil {
            throw ODataError(.notSupported, "The changes of what a function gives are not tracked.")
        }
        if let text = call.options.deltaToken {
            let delta = try DeltaHandler(read: self, query: query)
            return text == "latest" ? try delta.latest() : try delta.answer(try core.token(text, option: "$deltatoken"))
        }
        let token = try call.options.skipToken.map { text throws(ODataError) in
            try core.token(text, option: "$skiptoken")
        }
        if let answer = try ordered(query, collection, after: token) { return answer }
        if let token, case .deltaPage = token.place { return try DeltaHandler(read: self, query: query).answer(token) }
        return try page(query, collection, after: token)
    }

    func page(
        _ query: Query,
        _ collection: Resource.Collection,
        after token: LinkToken?,
        isReference: Bool = false
    ) throws -> Answer {
        let scope = core.scope(of: query, call) + core.order(of: query, call)
        var plan = query.plan
        var start: FeedPosition?
        var delivered = 0
        var count: Int?
        if let token {
            guard token.scope == scope, case .page(let after, let rows, let begin, let total) = token.place else {
                throw DeltaHandler.scopeChanged
            }
            plan.after = after
            plan.skip = 0
            plan.top = plan.top.map { max(0, $0 - rows) }
            (delivered, start, count) = (rows, begin, total)
            if let start { try LoadFilter(read: self, query: query).apply(to: &plan, start: start) }
        } else if call.preferences.tracksChanges, !isReference, isTrackable(query) {
            start = try reader.position()
        }
        // Counted once: later pages carry the number of the first.
        if call.options.count, count == nil { count = try reader.count(query.plan) }
        let total = call.options.count ? count : nil
        return Answer(
            .ok,
            fields: dataFields(isTracked: start != nil && token == nil, isPaged: call.isPaged),
            body: .stream { [core, call, reader] output, onFull in
                let writer = JSONEntityWriter(
                    shape: query.shape,
                    format: call.format,
                    type: plan.set.type,
                    output: output,
                    isReference: isReference
                )
                writer.onFull = onFull
                query.prepare(writer)
                writer.begin(
                    .collection,
                    contextRoot: call.contextRoot,
                    fragment: isReference ? "Collection($ref)" : nil,
                    count: total
                )
                let end = try reader.read(plan, into: writer)
                if let failure = writer.failure { throw failure }
                if let continuation = end.continuation {
                    let place = LinkToken.Place.page(
                        after: continuation,
                        delivered: delivered + end.rows,
                        start: start,
                        count: total
                    )
                    writer.end(nextLink: Link(call: call).next(core.text(of: LinkToken(place: place, scope: scope))))
                } else {
                    let deltaScope = core.scope(of: query, call)
                    writer.end(
                        deltaLink: start.map {
                            Link(call: call).delta(
                                core.text(of: LinkToken(place: .delta(since: $0), scope: deltaScope))
                            )
                        }
                    )
                }
            }
        )
    }

    /// Whether the changes of a query can be told later.
    func isTrackable(_ query: Query) -> Bool {
        let set = query.plan.set
        guard !set.isReadOnly, query.restriction == nil, query.plan.source == nil, query.plan.expansions.isEmpty, call.options.top == nil,
            call.options.skip == nil
        else { return false }
        guard let condition = TypedExpression.all(query.policy, query.filter) else { return true }
        return Trackability.reasonAgainst(condition, over: set, in: core.planner.model) == nil
    }

    /// `/$count`: the number alone, as text.
    func count(_ collection: Resource.Collection) throws -> Answer {
        var options = call.options
        options.orderBy = []
        options.expand = []
        options.select = nil
        var query = try core.planner.query(
            collection.set,
            options,
            restriction: collection.restriction,
            as: collection.derivedType,
            for: call.user
        )
        query.plan.source = collection.source
        return number(try reader.count(query.plan))
    }

    func number(_ count: Int) -> Answer {
        Answer(.ok, fields: fields(contentType: "text/plain"), body: .bytes(Array("\(count)".utf8)))
    }
}
