// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// A planned read, with its parts: a delta asks for policy and filter one by one.
struct Query {
    var plan: ReadPlan
    var shape: RowShape
    /// What hides rows from the user.
    var policy: TypedExpression?
    /// What the request filters.
    var filter: TypedExpression?
    /// What the path of the URL restricts.
    var restriction: TypedExpression?
    /// For which rows an integer is divided by zero, so that the request fails.
    var fault: TypedExpression?
    /// Why its changes cannot be told, where that does not lie in its conditions.
    var untracked: String?
    /// What of collections and JSON in the rows is written, at the places that the columns of the shapes name.
    var choices: [ItemChoice] = []

    /// How many of the last computed values stand in each of the last expansions, as its only row.
    var nested: [Int] = []
    /// What `$apply` asked, for the tokens of next links.
    var applied: String?

    /// The same query of the rows that another condition of the path leads to.
    func restricted(to restriction: TypedExpression?) -> Query {
        var query = self
        query.restriction = restriction
        query.plan.filter = Fence(policy: policy).filter(.all(restriction, filter))
        return query
    }

    /// Where the rows of the plan go for a writer.
    func sink(_ writer: JSONEntityWriter) -> any RowSink {
        nested.isEmpty ? writer : NestingSink(writer, plan, nested)
    }

    /// Has a writer choose what stands in collections and JSON, and link to the related entities that follow a page.
    func prepare(_ writer: JSONEntityWriter, _ core: Core) {
        writer.transforms = choices.map { choice in { choice.apply($0, $1) } }
        writer.skipToken = { rest, place in
            core.text(of: LinkToken(place: .rest(after: place), scope: rest.scope))
        }
    }
}
