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
        let token = try call.options.skipToken.map { text throws(ODataError) in
            try core.token(text, option: "$skiptoken")
        }
        var isDelta = call.options.deltaToken != nil
        switch token?.place {
        case .deltaPage?, .relatedPage?: isDelta = true
        default: break
        }
        var query = try self.query(collection, token, isDelta: isDelta)
        if collection.set.isContained { query.shape.containedIn = collection.containedIn }
        query.plan.source = collection.source
        if collection.source != nil { query.untracked = "a function makes them." }
        if call.format.metadata == .full, query.filter == nil, query.restriction == nil, collection.source == nil {
            query.shape.collectionOperations = core.planner.advertised(
                collection.set,
                as: collection.derivedType,
                isCollection: true,
                call.user
            )
        }
        if collection.linked != nil {
            query.untracked = "the way there leads over a table of links; track the links, or expand them."
        }
        if isDelta, collection.source != nil {
            throw ODataError(.notSupported, "The changes of what a function gives are not tracked.")
        }
        // The rows of later pages were asked with the first, but for those of related entities.
        switch token?.place {
        case nil where !isDelta, .rest? where !isDelta: try refuseFaults(query)
        default: break
        }
        if !isDelta, let answer = try ordered(query, collection, after: token) { return answer }
        if isDelta {
            guard call.format.metadata != .none else {
                // Without control information nothing would say what was removed: JSON Format 4.01, section 3.1.3.
                throw ODataError(.notAcceptable, "Changes are not told with metadata=none.", target: "Accept")
            }
            let delta = try DeltaHandler(read: self, query: query)
            if let token { return try delta.answer(token) }
            guard let text = call.options.deltaToken, text != "latest" else { return try delta.latest() }
            return try delta.answer(try core.token(text, option: "$deltatoken"))
        }
        return try page(query, collection, after: token)
    }

    /// The query of a collection.
    ///
    /// Where changes are tracked, related entities stand in their rows whole: a page of them, read later, would not be in
    /// step.
    private func query(_ collection: Resource.Collection, _ token: LinkToken?, isDelta: Bool) throws -> Query {
        func query(_ paging: Planner.Paging) throws -> Query {
            try core.planner.query(
                collection.set,
                call.options,
                restriction: collection.restriction,
                as: collection.derivedType,
                paging: paging,
                for: call.user
            )
        }
        if isDelta { return try query(Planner.Paging(isOn: false)) }
        var whole = paging
        whole.cutsExpansions = false
        if case .trackedPage? = token?.place { return try query(whole) }
        guard call.preferences.tracksChanges, !call.options.expand.isEmpty else { return try query(paging) }
        let tracked = try query(whole)
        return isTrackable(tracked) ? tracked : try query(paging)
    }

    func page(
        _ query: Query,
        _ collection: Resource.Collection,
        after token: LinkToken?,
        isReference: Bool = false
    ) throws -> Answer {
        // Most pages have no token and need none.
        let scope = { [core, call] in core.scope(of: query, call) + core.order(of: query, call) }
        var plan = query.plan
        var load: TrackedLoad?
        var delivered = 0
        var count: Int?
        if let token {
            guard core.isOf(query, token, call), let page = token.place.continuation else {
                throw DeltaHandler.scopeChanged
            }
            plan.after = page.after
            plan.skip = 0
            plan.top = plan.top.map { max(0, $0 - page.delivered) }
            (delivered, load, count) = (page.delivered, page.load, page.count)
            if let start = load?.start { try LoadFilter(read: self, query: query).apply(to: &plan, start: start) }
            if load != nil, !plan.expansions.isEmpty { load?.read(at: try reader.position()) }
            if load?.isScattered == true { plan.pageLimit = .unlimited }
        } else if call.preferences.tracksChanges, !isReference, isTrackable(query) {
            load = TrackedLoad(moments: [try reader.position()])
        }
        // Counted once: later pages carry the number of the first.
        if call.options.count, count == nil { count = try reader.count(query.plan) }
        let total = call.options.count ? count : nil
        return Answer(
            .ok,
            fields: dataFields(isTracked: load != nil && token == nil, isPaged: call.isPaged),
            body: .stream { [core, call, reader, load] output, onFull in
                let writer = JSONEntityWriter(
                    shape: query.shape,
                    format: call.format,
                    type: plan.set.type,
                    output: output,
                    isReference: isReference
                )
                writer.onFull = onFull
                query.prepare(writer, core)
                writer.begin(
                    .collection,
                    contextRoot: call.contextRoot,
                    fragment: isReference ? "Collection($ref)" : nil,
                    count: total
                )
                let end = try reader.read(plan, into: query.sink(writer))
                core.exceptions.note(writer)
                if let continuation = end.continuation {
                    let rows = delivered + end.rows
                    var place = LinkToken.Place.page(
                        after: continuation,
                        delivered: rows,
                        start: load?.start,
                        count: total
                    )
                    if let load, !plan.expansions.isEmpty {
                        place = .trackedPage(after: continuation, delivered: rows, moments: load.moments, count: total)
                    }
                    writer.end(nextLink: Link(call: call).next(core.text(of: LinkToken(place: place, scope: scope()))))
                } else {
                    writer.end(
                        deltaLink: load.map {
                            let token = LinkToken(place: $0.delta, scope: core.scope(of: query, call))
                            return Link(call: call).delta(core.text(of: token))
                        }
                    )
                }
            }
        )
    }

    /// Whether the changes of a query can be told later.
    func isTrackable(_ query: Query) -> Bool { reasonAgainstTracking(query) == nil }

    /// Why the changes of a query cannot be told, the end of a sentence; `nil` when they can.
    func reasonAgainstTracking(_ query: Query) -> String? {
        let set = query.plan.set
        let model = core.planner.model
        if set.isReadOnly { return "\(set.names.wire) can only be read, and its changes are not recorded." }
        if let reason = query.untracked { return reason }
        if call.options.top != nil || call.options.skip != nil {
            return "$top and $skip choose other entities after each change."
        }
        if let reason = Trackability.reasonAgainst(computed: query.plan.computed) { return reason }
        if let condition = TypedExpression.all(query.restriction, .all(query.policy, query.filter)),
            let reason = Trackability.reasonAgainst(condition, over: set, in: model)
        {
            return reason
        }
        guard !query.plan.expansions.isEmpty else { return nil }
        if call.version == .v40, query.shape.expansions.contains(where: \.isNoEntity) {
            return "of $ref and $count in $expand they are told in version 4.01 alone (OData-MaxVersion: 4.01)."
        }
        if call.options.expand.contains(where: \.hasWindow) {
            return "$top and $skip in $expand choose other entities after each change."
        }
        for expansion in query.plan.expansions {
            if let reason = Trackability.reasonAgainst(expansion, of: set, in: model) { return reason }
        }
        return nil
    }

    /// `/$count`: the number alone, as text.
    func count(_ collection: Resource.Collection) throws -> Answer {
        if let transformations = call.options.apply { return try aggregatedCount(collection, transformations) }
        guard call.options.deltaToken == nil, call.options.skipToken == nil else {
            let option = call.options.deltaToken == nil ? "$skiptoken" : "$deltatoken"
            throw ODataError(.notSupported, "What a link leads to is not counted by itself.", target: option)
        }
        var options = call.options
        options.orderBy = []
        options.expand = []
        options.select = nil
        let query = try self.query(of: collection, options)
        try refuseFaults(query)
        return number(try reader.count(query.plan))
    }

    /// What options ask of a collection, where its rows come from.
    func query(
        of collection: Resource.Collection,
        _ options: QueryOptions,
        paging: Planner.Paging = Planner.Paging()
    ) throws -> Query {
        var query = try core.planner.query(
            collection.set,
            options,
            restriction: collection.restriction,
            as: collection.derivedType,
            paging: paging,
            for: call.user
        )
        query.plan.source = collection.source
        if collection.set.isContained { query.shape.containedIn = collection.containedIn }
        return query
    }

    func number(_ count: Int) -> Answer {
        Answer(.ok, fields: fields(contentType: "text/plain"), body: .bytes(Array("\(count)".utf8)))
    }
}

extension ExpandItem {
    /// Whether it, or one inside it, takes a part of the related entities by their places.
    fileprivate var hasWindow: Bool {
        options.top != nil || options.skip != nil || options.expand.contains(where: \.hasWindow)
    }
}

extension RowShape.Expansion {
    /// Whether it, or one inside it, writes references or a number in place of entities.
    fileprivate var isNoEntity: Bool { content != .entities || shape.expansions.contains(where: \.isNoEntity) }
}
