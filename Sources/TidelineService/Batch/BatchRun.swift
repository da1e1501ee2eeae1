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
    private(set) var failures = BatchFailures()

    /// Whether answers are kept for the conditions of later requests.
    private let keepsBodies: Bool
    private var bodies: [String: [UInt8]] = [:]
    private var decided: Set<String> = []

    /// The most bytes of an answer that a condition can look at.
    private static let bodyLimit = 65_536

    init(keepsBodies: Bool = false) {
        self.keepsBodies = keepsBodies
    }

    mutating func note(_ item: BatchRequest.Item, _ answer: Answer) {
        if item.headers[.repeatabilityRequestID] != nil, answer.status.code >= 500, answer.status != .notImplemented {
            isUndecided = true
        }
        if answer.status.code < 400 { succeeded.insert(item.id) } else { hasFailed = true }
        failures.add(item, answer)
        if let entity = answer.entity { references[item.id] = entity }
        guard keepsBodies else { return }
        decided.insert(item.id)
        if answer.bytes.count <= Self.bodyLimit { bodies[item.id] = answer.bytes }
    }

    /// Whether the `if` of a request is true.
    func holds(_ condition: String, _ core: Core, _ user: UserContext) throws(ODataError) -> Bool {
        let literal = try BatchCondition.literal(
            condition,
            succeeded: { decided.contains($0) ? succeeded.contains($0) : nil },
            body: { bodies[$0] }
        )
        let model = core.planner.model
        guard let set = model.sets.first else { return false }
        let typed = try ExpressionParser.parse(literal).checkedCondition(over: set, in: model, code: .invalidBatch)
        guard typed.paths.isEmpty else {
            throw ODataError(.invalidBatch, "A condition looks at answers of the batch ($id) alone.")
        }
        let row = EntitySource(Array(repeating: .null, count: set.type.properties.count), user: user)
        do {
            return try ExpressionEvaluator(source: row, user: user).isTrue(typed)
        } catch {
            throw ODataError(.invalidBatch, "The condition of a request cannot be evaluated.")
        }
    }

    mutating func note(group: String?, _ answers: [Answer]) {
        if keepsBodies, let group { decided.insert(group) }
        if let group, answers.allSatisfy({ $0.status.code < 400 }) { succeeded.insert(group) }
    }
}
