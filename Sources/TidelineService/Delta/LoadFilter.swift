// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// Keeps the later pages of a tracked load in step with its start.
///
/// The delta link of a load counts from the snapshot of its first page. A row that became visible after that, was sent
/// on a later page and vanished again before the first delta would stay with the client for ever: at the start nobody
/// saw it, so no removal is sent. Therefore a later page leaves out what could not be seen at the start. Nothing is
/// missed: such a row changed since, or a parent did, so the delta brings it if it is still there.
struct LoadFilter {
    let read: ReadHandler
    let query: Query

    /// More rows than this are not named in a condition: the load is asked to start again.
    private static let limit = 2_000

    func apply(to plan: inout ReadPlan, start: FeedPosition) throws {
        let tracker = try ChangeTracker(
            model: read.core.planner.model,
            reader: read.reader,
            query: query,
            user: read.call.user,
            since: start
        )
        var hidden: [Key] = []
        func look(_ candidate: ChangeTracker.Candidate) throws {
            if try tracker.visibility(candidate.before) == .visible { return }
            hidden.append(candidate.key)
            if hidden.count > Self.limit {
                throw ODataError(
                    service: ServiceCode.deltaExpired,
                    "Too much has changed while this was loaded: load again."
                )
            }
        }
        _ = try tracker.own(scope: nil, look)
        try tracker.fannedOut(look)
        for begin in stride(from: 0, to: hidden.count, by: 200) {
            let chunk = hidden[begin..<min(begin + 200, hidden.count)]
            plan.filter = .all(plan.filter, TypedExpression.isKey(chunk, of: plan.set.type).negated)
        }
    }
}
