// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
public import TidelineStorage

/// Results of one query, now and after each commit that changes them: what comes first is the whole result.
///
/// A commit that touches the query's sets and leaves its rows as they are is not told. A slow reader gets the newest
/// state; the differences then span all commits between. Commits of a sync are told like those of the app. Ends when
/// the task is cancelled or the store is closed.
public struct LiveResults<Row: Sendable>: AsyncSequence, Sendable {
    let store: LocalStore
    let sets: Set<Int>
    let fetch: @Sendable (Connection) throws -> [KeyedRow<Row>]

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// Reads the result again when a commit touched it.
    ///
    /// Not for two tasks at once.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let results: LiveResults<Row>
        private let listener: Listener
        private var last: [(key: Key, print: [UInt8])]?

        init(_ results: LiveResults<Row>) {
            self.results = results
            // Listens before the first read, so no commit falls between.
            listener = Listener(results.store.broadcaster, results.sets)
        }

        /// The next state of the result, or `nil` at the end.
        public mutating func next() async throws -> LiveResult<Row>? {
            while true {
                if last != nil {
                    guard await results.store.broadcaster.news(for: listener.id) else { return nil }
                }
                let store = results.store
                let fetch = results.fetch
                let rows = try await store.onThread { Rows(try store.reading(fetch)) }.rows
                let now = rows.map { (key: $0.key, print: $0.print) }
                guard let before = last else {
                    last = now
                    return LiveResult(rows: rows.map(\.row), differences: [], isFirst: true)
                }
                last = now
                let differences = RowDifference.between(before, now)
                if !differences.isEmpty {
                    return LiveResult(rows: rows.map(\.row), differences: differences, isFirst: false)
                }
            }
        }
    }

    /// Rows on their way from a thread of the store.
    private struct Rows: Sendable {
        let rows: [KeyedRow<Row>]
        init(_ rows: [KeyedRow<Row>]) { self.rows = rows }
    }

    /// Stops listening when the iterator goes.
    private final class Listener: Sendable {
        let id: Int
        private let broadcaster: CommitBroadcaster

        init(_ broadcaster: CommitBroadcaster, _ sets: Set<Int>) {
            self.broadcaster = broadcaster
            id = broadcaster.listen(to: sets)
        }

        deinit { broadcaster.forget(id) }
    }
}

extension LocalStore {
    /// The rows of a plan, now and after each commit that changes them.
    public func results(of plan: ReadPlan) -> LiveResults<[String: Value]> {
        LiveResults(store: self, sets: sets(of: plan)) { try $0.dynamicRows(plan) }
    }

    /// The entities of a plan, now and after each commit that changes them.
    public func results<E: Entity>(of type: E.Type, _ plan: ReadPlan) -> LiveResults<E> {
        LiveResults(store: self, sets: sets(of: plan)) { try $0.entities(type, plan) }
    }

    /// The sets that a plan reads: its own, and those that its filter and order reach over navigation properties.
    private func sets(of plan: ReadPlan) -> Set<Int> {
        guard let start = model.setIndex(wire: plan.set.names.wire) else { return [] }
        var found: Set<Int> = [start]
        for expression in (plan.filter.map { [$0] } ?? []) + plan.orderBy.map(\.expression) {
            visit(expression, [start], &found)
        }
        return found
    }

    /// - Parameter scopes: the set of each scope, the innermost last; `nil` for one whose items are no entities.
    private func visit(_ expression: TypedExpression, _ scopes: [Int?], _ found: inout Set<Int>) {
        var deeper = scopes
        switch expression.node {
        case .path(let path): _ = walk(path.navigations, up: path.up, scopes, &found)
        case .lambda(_, .entities(let way), _), .count(.entities(let way), _):
            deeper.append(walk(way.navigations, up: way.up, scopes, &found))
        case .fold(_, .entities(let way), _, _): deeper.append(walk(way.navigations, up: way.up, scopes, &found))
        case .lambda(_, .set(let name, _), _), .count(.set(let name, _), _), .fold(_, .set(let name, _), _, _):
            let set = model.setIndex(wire: name)
            if let set { found.insert(set) }
            deeper.append(set)
        case .lambda(_, .values, _), .count(.values, _), .fold(_, .values, _, _): deeper.append(nil)
        default: break
        }
        for part in expression.parts { visit(part.expression, part.isDeeper ? deeper : scopes, &found) }
    }

    /// Notes the sets on a way over navigation properties.
    ///
    /// - Returns: the set at its end.
    private func walk(_ navigations: [Int], up: Int, _ scopes: [Int?], _ found: inout Set<Int>) -> Int? {
        guard scopes.indices.contains(scopes.count - 1 - up), var set = scopes[scopes.count - 1 - up] else {
            return nil
        }
        for place in navigations {
            let known = layout.sets[set].set.type.navigationProperties
            guard known.indices.contains(place), let next = model.setIndex(wire: known[place].targetSet) else {
                return nil
            }
            if let link = known[place].link, let between = model.setIndex(wire: link.set) { found.insert(between) }
            found.insert(next)
            set = next
        }
        return set
    }
}
