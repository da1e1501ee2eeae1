// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStore

/// The link that begins the load of a subscription, and what its rows look like.
struct FirstLoad: Sendable {
    /// What is asked of the service; one of 4.0 knows the names with their prefix alone.
    static func preferences(_ version: ODataVersion) -> String {
        version == .v401 ? "track-changes,maxpagesize=5000" : "odata.track-changes,odata.maxpagesize=5000"
    }

    let set: EntitySet
    /// The places of the properties asked for.
    let columns: [Int]
    let link: String
    /// The same, which asks for the number of all rows beside.
    let countingLink: String

    /// - Throws: ``SyncError/Code/unknownSet`` when the model has no such set.
    init(_ subscription: Subscription, model: EntityModel) throws {
        guard let set = model[set: subscription.set] else {
            throw SyncError(.unknownSet, "The model has no set \(subscription.set).", advice: "Name another set.")
        }
        self.set = set
        let travelling = set.type.properties.indices.filter { !set.type.properties[$0].isLocalOnly }
        if let names = subscription.properties {
            columns = travelling.filter {
                names.contains(set.type.properties[$0].names.wire) || set.type.key.contains($0)
            }
        } else {
            columns = travelling
        }
        var options: [String] = []
        if let filter = subscription.filter {
            options.append("$filter=" + PercentCoding.encode(queryValue: Self.exact(filter)))
        }
        if columns != travelling {
            let names = columns.map { PercentCoding.encode(queryValue: set.type.properties[$0].names.wire) }
            options.append("$select=" + names.joined(separator: ","))
        }
        func link(_ options: [String]) -> String {
            ResourceLink.set(set) + (options.isEmpty ? "" : "?" + options.joined(separator: "&"))
        }
        self.link = link(options)
        countingLink = link(options + ["$count=true"])
    }

    /// The filter with its operators and functions in the letter case of the standard, which services of 4.0 insist on.
    private static func exact(_ filter: String) -> String {
        (try? ExpressionParser.parse(filter)).map { ExpressionPrinter.print($0) } ?? filter
    }

    var shape: RowShape { .received(set, columns: columns) }
}
