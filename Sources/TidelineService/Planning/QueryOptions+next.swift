// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

extension QueryOptions {
    /// The query, percent-encoded, of what follows the first page of a nested collection.
    ///
    /// - Parameters:
    ///   - count: how many entities that page has.
    ///   - way: the navigation properties from those entities to what `$it` means here: in a request for them it means
    ///     themselves.
    func rest(after count: Int, way: [String]) -> String {
        var options = asked(of: way)
        options.skip = nil
        options.top = top.map { $0 - count }
        options.count = false
        options.levels = nil
        return options.text
    }

    /// The options for a request whose `$it` is another, see ``Expression/asked(of:)``.
    private func asked(of way: [String]) -> QueryOptions {
        var options = self
        options.filter = filter?.asked(of: way)
        options.orderBy = orderBy.map { OrderByItem($0.expression.asked(of: way), isDescending: $0.isDescending) }
        options.compute = compute.map { ComputeItem($0.expression.asked(of: way), as: $0.name) }
        options.aliases = aliases.mapValues { $0.asked(of: way) }
        for place in expand.indices { options.expand[place].options = expand[place].options.asked(of: way) }
        return options
    }
}
