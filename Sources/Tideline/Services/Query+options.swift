// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

extension Query {
    /// The query options that ask a service for the same, decoded, without `$select`.
    var options: [(name: String, value: String)] {
        var options: [(name: String, value: String)] = []
        if let filter { options.append(("$filter", ExpressionPrinter.print(filter))) }
        if !order.isEmpty {
            let terms = order.map { ExpressionPrinter.print($0.expression) + ($0.isDescending ? " desc" : "") }
            options.append(("$orderby", terms.joined(separator: ",")))
        }
        if skip > 0 { options.append(("$skip", "\(skip)")) }
        if let top { options.append(("$top", "\(top)")) }
        return options
    }
}
