// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData

/// What later requests of a batch know of the earlier ones.
struct BatchRun {
    /// The ids of requests and groups that succeeded.
    private(set) var succeeded: Set<String> = []
    private(set) var references: [String: Call.Reference] = [:]
    private(set) var hasFailed = false
    /// Whether a repeatable request got no decision: the store was locked or full, say.
    private(set) var isUndecided = false

    mutating func note(_ item: BatchRequest.Item, _ answer: Answer) {
        if item.headers[.repeatabilityRequestID] != nil, answer.status.code >= 500, answer.status != .notImplemented {
            isUndecided = true
        }
        if answer.status.code < 400 { succeeded.insert(item.id) } else { hasFailed = true }
        if let entity = answer.entity { references[item.id] = entity }
    }

    mutating func note(group: String?, _ answers: [Answer]) {
        if let group, answers.allSatisfy({ $0.status.code < 400 }) { succeeded.insert(group) }
    }
}
