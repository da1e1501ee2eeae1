// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

/// A database filled with the rows of ``StoreFixture``, and short ways to ask it.
final class World {
    let backend: any StoreUnderTest
    var store: any Store { backend.store }

    init(_ backend: any StoreUnderTest) throws {
        self.backend = backend
        try StoreFixture.fill(backend.store)
    }

    /// Goes on where the backend can do that, else cancels the test with the reason.
    func require(_ ability: StoreAbility) throws {
        if let reason = type(of: backend).lacks[ability] { try Test.cancel(Comment(rawValue: reason)) }
    }

    /// Runs SQL as another program would.
    func runOutside(_ sql: String) throws {
        try require(.sql)
        try backend.run(sql)
    }

    /// Closes the store and opens it again.
    func reopen() throws {
        try require(.reopening)
        try backend.reopen()
    }

    /// A set of the store's model.
    func set(_ wire: String) throws -> EntitySet { try #require(store.model[set: wire]) }

    /// The place of a property.
    func place(_ property: String, of set: String) throws -> Int {
        try #require(try self.set(set).type.propertyIndex(wire: property), "\(set) has no \(property)")
    }

    // MARK: Plans

    /// A key of an order, `Total` or `Total desc`.
    func sortKey(_ text: String, of set: String) throws -> ReadPlan.SortKey {
        let words = text.split(separator: " ").map(String.init)
        let path = Expression.path(words[0].split(separator: "/").map(String.init))
        let expression = try ExpressionChecker(model: store.model, set: self.set(set)).check(path)
        return ReadPlan.SortKey(expression, isDescending: words.last == "desc")
    }

    /// A condition over a set.
    func condition(_ expression: Expression, on set: String) throws -> TypedExpression {
        try ExpressionChecker(model: store.model, set: self.set(set)).condition(expression)
    }

    /// A plan over a set.
    func plan(
        _ set: String,
        columns: [String]? = nil,
        filter: Expression? = nil,
        orderBy: [String] = [],
        skip: Int = 0,
        top: Int? = nil,
        pageRows: Int = .max,
        expanding: [ReadPlan.Expansion] = [],
        includesETag: Bool = true
    ) throws -> ReadPlan {
        ReadPlan(
            model: store.model,
            set: try self.set(set),
            filter: try filter.map { try condition($0, on: set) },
            orderBy: try orderBy.map { try sortKey($0, of: set) },
            skip: skip,
            top: top,
            columns: try columns?.map { try place($0, of: set) },
            expansions: expanding,
            includesETag: includesETag,
            pageLimit: .init(rows: pageRows, bytes: .max)
        )
    }

    /// An expansion of a set's navigation property.
    func expansion(
        _ navigation: String,
        of set: String,
        _ plan: ReadPlan,
        includesCount: Bool = false
    ) throws -> ReadPlan.Expansion {
        let place = try #require(try self.set(set).type.navigationIndex(wire: navigation))
        return ReadPlan.Expansion(navigation: place, plan: plan, includesCount: includesCount)
    }

    // MARK: Asking

    /// The rows of a plan as text.
    func lines(_ plan: ReadPlan) throws -> [String] { try page(plan).recorder.lines }

    /// The keys of the orders in an order.
    func orders(by order: String...) throws -> [String] {
        try lines(plan("Orders", columns: ["Id"], orderBy: order))
    }

    /// The keys of the orders that match a filter.
    func orders(_ filter: Expression) throws -> [String] {
        try lines(plan("Orders", columns: ["Id"], filter: filter))
    }

    /// One page of a plan.
    func page(_ plan: ReadPlan) throws -> (recorder: RowRecorder, end: PageEnd) {
        try store.read { reader in
            let recorder = RowRecorder()
            return (recorder, try reader.read(plan, into: recorder))
        }
    }

    /// All pages of a plan, read one after the other.
    func pages(_ plan: ReadPlan) throws -> [[String]] {
        var plan = plan
        var pages: [[String]] = []
        repeat {
            let (recorder, end) = try page(plan)
            pages.append(recorder.lines)
            plan.after = end.continuation
            plan.skip = 0
        } while plan.after != nil && pages.count < 100
        return pages
    }

    func entity(_ set: String, _ key: Value...) throws -> StoredEntity? {
        try store.read { try $0.entity(Key(key), in: self.set(set)) }
    }

    /// The values of an entity as text, or `nil`.
    func row(_ set: String, _ key: Value...) throws -> String? {
        try store.read { try $0.entity(Key(key), in: self.set(set)) }.map { Self.text($0.values) }
    }

    /// Removes all but the newest entries of the change log.
    func compact(keeping entries: Int64) throws -> LogCompaction {
        try store.compact(LogRetention(entries: entries), now: 0, limit: .max)
    }

    func position() throws -> FeedPosition { try store.read { try $0.position() } }

    /// The changed keys of a set since a position, with their images: `(1) new`, `(k1) k1|Ann|4.5`.
    func changes(
        _ set: String,
        since: FeedPosition,
        scope: ChangeQuery.Scope? = nil
    ) throws -> [String] {
        let query = ChangeQuery(set: try self.set(set), since: since, scope: scope)
        return try store.read { try Self.changes(query, $0).lines }
    }

    static func changes(
        _ query: ChangeQuery,
        _ reader: any StoreReader
    ) throws -> (lines: [String], next: FeedPosition?) {
        var lines: [String] = []
        let next = try reader.changes(query) { change in
            let before = change.before.map { $0.map { $0.map(text) ?? "?" }.joined(separator: "|") }
            lines.append("(\(change.key?.values.map(text).joined(separator: ",") ?? "none")) \(before ?? "new")")
        }
        return (lines, next)
    }

    // MARK: Changing

    @discardableResult
    func insert(_ set: String, _ texts: String?...) throws -> Key {
        try store.write { try self.insert(set, texts, $0) }
    }

    @discardableResult
    func insert(_ set: String, _ texts: [String?], _ writer: any StoreWriter) throws -> Key {
        try writer.insert(StoreFixture.values(texts, self.set(set)), into: self.set(set))
    }

    func update(_ set: String, _ key: [Value], _ property: String, _ value: Value) throws {
        let changed = try store.write { try self.update(set, key, property, value, $0) }
        #expect(changed, "\(set) has the entity")
    }

    func update(
        _ set: String,
        _ key: [Value],
        _ property: String,
        _ value: Value,
        _ writer: any StoreWriter
    ) throws -> Bool {
        try writer.update(Key(key), [self.place(property, of: set): value], in: self.set(set))
    }

    func delete(_ set: String, _ key: Value...) throws {
        let isThere = try store.write { try $0.delete(Key(key), in: self.set(set)) }
        #expect(isThere, "\(set) had the entity")
    }

    /// The error that a write ends with.
    func error(_ body: (any StoreWriter) throws -> Void) -> StorageError? {
        #expect(throws: StorageError.self) { try store.write(body) }
    }

    // MARK: Text

    static func text(_ values: [Value]) -> String { values.map(text).joined(separator: "|") }

    static func text(_ value: Value) -> String {
        if case .decimal(let number) = value { return number.normalized.text }
        return value.text ?? "null"
    }
}
