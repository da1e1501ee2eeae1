// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineOData

/// A part of a service that a device asks for: `Orders`, or `Orders?$filter=Total gt 100`.
public struct SubscriptionRequest: Hashable, Sendable {
    /// The wire name of the entity set.
    public var set: String
    /// The text of `$filter`, decoded, or `nil` for every row that the user may read.
    public var filter: String?

    public init(set: String, filter: String? = nil) {
        self.set = set
        self.filter = filter
    }

    /// Reads the text of a command line; the filter stands there as a person writes it, not percent-encoded.
    ///
    /// - Throws: ``SyncError/Code/unknownSet`` for another option than `$filter`, or a filter that is no expression.
    public init(parsing text: String) throws {
        guard let mark = text.firstIndex(of: "?") else {
            self.init(set: text)
            return
        }
        let set = String(text[..<mark])
        let option = text[text.index(after: mark)...]
        guard option.hasPrefix("$filter=") else {
            throw SyncError(.unknownSet, "\(text) has another option than $filter.", advice: "Write Set?$filter=….")
        }
        let filter = String(option.dropFirst("$filter=".count))
        do {
            _ = try ExpressionParser.parse(filter)
        } catch {
            throw SyncError(.unknownSet, "The filter of \(set) is no expression: \(error.message)", advice: "Check it.")
        }
        self.init(set: set, filter: filter)
    }

    /// Joins the requests of one set: what one of them asks for is asked for.
    static func joined(_ requests: [SubscriptionRequest]) -> [SubscriptionRequest] {
        var joined: [SubscriptionRequest] = []
        for request in requests {
            guard let place = joined.firstIndex(where: { $0.set == request.set }) else {
                joined.append(request)
                continue
            }
            if let here = joined[place].filter, let other = request.filter {
                joined[place].filter = here == other ? here : "(\(here)) or (\(other))"
            } else {
                joined[place].filter = nil
            }
        }
        return joined
    }
}
