// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
public import TidelineStorage
import Dispatch

/// A device's store: one SQLite file with the entities of a model, the outbox, and what is known of the server.
public final class LocalStore: Sendable {
    /// The model, with the names and storage forms that the tables of the file have.
    public let model: EntityModel

    /// Makes a new store file.
    ///
    /// - Throws: ``LocalStoreError/Code/exists`` when the file exists; it is not touched.
    public static func create(
        path: String, model: EntityModel, origin: StoreOrigin? = nil, settings: StoreSettings = StoreSettings()
    ) throws -> LocalStore { throw LocalStoreError(.unsupported, message: "") }

    /// Opens a store file.
    public init(path: String, settings: StoreSettings = StoreSettings()) throws {
        throw LocalStoreError(.unsupported, message: "")
    }

    /// Closes the file; every later call throws ``LocalStoreError/Code/closed``.
    public func close() throws {}

    /// Runs `body` in one snapshot. Blocks the thread; never waits for a writer.
    @_disfavoredOverload
    public func read<Result>(_ body: (LocalReader) throws -> Result) throws -> Result {
        throw LocalStoreError(.unsupported, message: "")
    }

    /// Runs `body` in one snapshot, on a thread of the store.
    public func read<Result: Sendable>(
        _ body: @escaping @Sendable (LocalReader) throws -> Result
    ) async throws -> Result {
        throw LocalStoreError(.unsupported, message: "")
    }

    /// Runs `body` in one transaction, and records its changes in the outbox. Blocks the thread; writers queue.
    ///
    /// - Throws: what `body` throws, or ``LocalStoreError`` when the changes break a rule; nothing is changed then.
    @_disfavoredOverload
    public func write<Result>(_ body: (LocalTransaction) throws -> Result) throws -> Result {
        throw LocalStoreError(.unsupported, message: "")
    }

    /// Runs `body` in one transaction, on a thread of the store. Cancelling before the commit leaves the store as it was.
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (LocalTransaction) throws -> Result
    ) async throws -> Result {
        throw LocalStoreError(.unsupported, message: "")
    }

    /// Runs SQL of the app's own in one transaction; its changes to entities are captured in the outbox.
    public func raw<Result>(_ body: (RawSQL) throws -> Result) throws -> Result {
        throw LocalStoreError(.unsupported, message: "")
    }

    /// Pushes the rows of a plan into a sink, at most one page.
    @discardableResult
    public func fetch(_ plan: ReadPlan, into sink: any RowSink) throws -> PageEnd {
        throw LocalStoreError(.unsupported, message: "")
    }

    /// The rows of a plan, by the wire names of their properties.
    public func fetch(_ plan: ReadPlan) throws -> [[String: Value]] {
        throw LocalStoreError(.unsupported, message: "")
    }

    /// The entities of a plan.
    public func fetch<E: Entity>(_ type: E.Type, _ plan: ReadPlan) throws -> [E] {
        throw LocalStoreError(.unsupported, message: "")
    }

    /// The number of rows that match the plan's filter.
    public func count(_ plan: ReadPlan) throws -> Int { throw LocalStoreError(.unsupported, message: "") }

    /// The rows of a plan, now and after each commit that changes them.
    public func results(of plan: ReadPlan) -> LiveResults<[String: Value]> { LiveResults() }

    /// The entities of a plan, now and after each commit that changes them.
    public func results<E: Entity>(of type: E.Type, _ plan: ReadPlan) -> LiveResults<E> { LiveResults() }

    /// What waits.
    public func status() throws -> StoreStatus { throw LocalStoreError(.unsupported, message: "") }

    /// The conflict log, oldest first.
    public func conflicts() throws -> [Conflict] { throw LocalStoreError(.unsupported, message: "") }

    /// Writes the values that lost back, as a new local transaction, and takes the entry out of the log.
    public func restore(conflict id: Int64) throws { throw LocalStoreError(.unsupported, message: "") }

    /// Takes an entry out of the conflict log.
    public func dismiss(conflict id: Int64) throws { throw LocalStoreError(.unsupported, message: "") }

    /// The transactions in quarantine, oldest first.
    public func quarantined() throws -> [QuarantinedTransaction] { throw LocalStoreError(.unsupported, message: "") }

    /// Sends a quarantined transaction, and those that depend on it, again with the next sync.
    public func retry(quarantined id: Int64) throws { throw LocalStoreError(.unsupported, message: "") }

    /// Gives a quarantined transaction up, and those that depend on it: its rows go back to what the server had last.
    ///
    /// - Returns: the identifiers of all entries that were discarded.
    @discardableResult
    public func discard(quarantined id: Int64) throws -> [Int64] {
        throw LocalStoreError(.unsupported, message: "")
    }
}

/// What can be read in one snapshot. It does not outlive its closure.
public final class LocalReader {
    /// One entity by its key, or `nil`.
    public func entity(_ key: Key, in set: String) throws -> [String: Value]? { nil }
    @discardableResult
    public func fetch(_ plan: ReadPlan, into sink: any RowSink) throws -> PageEnd { PageEnd(rows: 0, continuation: nil) }
    public func fetch(_ plan: ReadPlan) throws -> [[String: Value]] { [] }
    public func fetch<E: Entity>(_ type: E.Type, _ plan: ReadPlan) throws -> [E] { [] }
    public func fetch<E: Entity>(_ type: E.Type, key: Key) throws -> E? { nil }
    public func count(_ plan: ReadPlan) throws -> Int { 0 }
}

/// What can be changed in one transaction; it reads its own changes. It does not outlive its closure.
public final class LocalTransaction {
    /// Inserts an entity. Absent properties get their default, or null; a generated key must be absent.
    ///
    /// - Returns: the key, a temporary negative one where the server makes it.
    @discardableResult
    public func insert(_ values: [String: Value], into set: String) throws -> Key { Key([]) }
    /// Changes properties of an entity; an equal value is no change.
    ///
    /// - Returns: false when there is no such entity.
    @discardableResult
    public func update(_ key: Key, _ values: [String: Value], in set: String) throws -> Bool { false }
    /// Deletes an entity, and does with its dependents what the model's delete rules say.
    ///
    /// - Returns: false when there was no such entity.
    @discardableResult
    public func delete(_ key: Key, in set: String) throws -> Bool { false }
    /// Inserts a typed entity. A generated key that is 0 gets a temporary value.
    @discardableResult
    public func insert<E: Entity>(_ entity: E) throws -> Key { Key([]) }
    /// Inserts many.
    public func insert<E: Entity>(contentsOf entities: some Sequence<E>) throws {}
    /// Changes the properties in which the entity differs from what is stored.
    @discardableResult
    public func update<E: Entity>(_ entity: E) throws -> Bool { false }
    @discardableResult
    public func delete<E: Entity>(_ type: E.Type, key: Key) throws -> Bool { false }
    /// One entity by its key, or `nil`.
    public func entity(_ key: Key, in set: String) throws -> [String: Value]? { nil }
    public func fetch<E: Entity>(_ type: E.Type, key: Key) throws -> E? { nil }
    public func fetch(_ plan: ReadPlan) throws -> [[String: Value]] { [] }
    public func fetch<E: Entity>(_ type: E.Type, _ plan: ReadPlan) throws -> [E] { [] }
}

/// SQL inside ``LocalStore/raw(_:)``: one statement a call, with positional values.
///
/// Tables and columns are named as on the wire; values have the storage forms of the file.
public final class RawSQL {
    /// Runs one INSERT, UPDATE, DELETE or REPLACE.
    ///
    /// - Returns: the number of rows changed.
    @discardableResult
    public func execute(_ sql: String, _ arguments: [Value] = []) throws -> Int { 0 }
    /// The rows of one SELECT.
    public func rows(_ sql: String, _ arguments: [Value] = []) throws -> [[Value]] { [] }
}

/// Results of one query, now and after each commit that changes them: what comes first is the whole result.
///
/// A slow reader gets the newest state; the differences then span all commits between. Ends when the task is cancelled
/// or the store is closed.
public struct LiveResults<Row: Sendable>: AsyncSequence, Sendable {
    public struct AsyncIterator: AsyncIteratorProtocol {
        public mutating func next() async throws -> LiveResult<Row>? { nil }
    }
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}

/// Reads the columns of one row in order.
public struct RowCursor {
    /// Whether the next column is null; does not move on.
    public var isNull: Bool { false }
    /// Passes over the next column.
    public mutating func skip() {}
    public mutating func boolean() throws -> Bool { false }
    public mutating func integer() throws -> Int64 { 0 }
    public mutating func double() throws -> Double { 0 }
    public mutating func string() throws -> String { "" }
    public mutating func binary() throws -> [UInt8] { [] }
    public mutating func decimal() throws -> EdmDecimal { EdmDecimal(coefficient: 0) }
    public mutating func guid() throws -> GUID { GUID(high: 0, low: 0) }
    public mutating func date() throws -> CalendarDate { CalendarDate(daysSinceEpoch: 0) }
    public mutating func timeOfDay() throws -> TimeOfDay { TimeOfDay(nanoseconds: 0) }
    public mutating func dateTimeOffset() throws -> DateTimeOffset { DateTimeOffset(seconds: 0) }
    public mutating func duration() throws -> Duration { .zero }
}

/// Takes the values of one entity's properties in order.
public struct Binder {
    public mutating func null() {}
    public mutating func bind(_ value: Bool) {}
    public mutating func bind(_ value: Int64) {}
    public mutating func bind(_ value: Double) {}
    public mutating func bind(_ value: String) {}
    public mutating func bind(_ value: [UInt8]) {}
    public mutating func bind(_ value: EdmDecimal) {}
    public mutating func bind(_ value: GUID) {}
    public mutating func bind(_ value: CalendarDate) {}
    public mutating func bind(_ value: TimeOfDay) {}
    public mutating func bind(_ value: DateTimeOffset) {}
    public mutating func bind(_ value: Duration) {}
}
