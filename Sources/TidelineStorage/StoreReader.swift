// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// What can be read in one snapshot of a store.
///
/// It does not outlive the closure that it was lent to.
public protocol StoreReader {
    /// Pushes the rows of a plan into a sink, at most one page.
    func read(_ plan: ReadPlan, into sink: any RowSink) throws -> PageEnd

    /// The number of rows that match the plan's filter; order, page, `skip` and `top` do not count.
    func count(_ plan: ReadPlan) throws -> Int

    /// Pushes the rows that `$apply` makes: the columns of the plan, no expansions and no ETags.
    ///
    /// - Returns: how many there were.
    func aggregate(_ plan: AggregationPlan, into sink: any RowSink) throws -> Int

    /// Calls a function whose body is SQL or a routine.
    ///
    /// What it does to the database is refused. To read the entities that it returns, give ``ReadPlan/source`` the call.
    /// - Throws: ``StorageError`` with `constraint` where the SQL refuses, `tooManyRows`, `unreadableValue`.
    func call(_ function: OperationCall) throws -> OperationResult

    /// Hints at entities that are read next, each with all of its properties by a plan of its own: a store that is far
    /// away gets them at once.
    ///
    /// Nothing is to be changed between.
    func prefetch(_ rows: [(key: Key, set: EntitySet)]) throws

    /// One entity by its key, whatever policy says, or `nil`. For checks before and after a change.
    func entity(_ key: Key, in set: EntitySet) throws -> StoredEntity?

    /// Whether an entity of that key satisfies a condition, paths over navigation properties included.
    func satisfies(_ condition: TypedExpression, key: Key, in set: EntitySet, user: UserContext) throws -> Bool

    /// The end of the change log in this snapshot, after making sure that nothing was written past the log.
    func position() throws -> FeedPosition

    /// Pushes each key that changed after `query.since`, once, in the order of its last change.
    ///
    /// - Returns: `nil` when all were pushed; else the position of the last one pushed, the next query's `after`.
    /// - Throws: ``StorageError`` with `gone`, `epochChanged` or `logRestored` when the position cannot be served.
    @discardableResult
    func changes(_ query: ChangeQuery, _ receive: (ChangedKey) throws -> Void) throws -> FeedPosition?

    /// Random bytes that are made when the database is published, and lie in each backup of it.
    ///
    /// With other ones, what is remembered of clients is none of what was remembered before. `nil` for a store that is not
    /// published.
    func publicationKey() throws -> [UInt8]?

    /// What the store remembers of a client's repeatable requests, or `nil` for an unknown client.
    func mark(client: String) throws -> ClientMark?

    /// The answer kept for a repeatable request, or `nil`.
    func answer(client: String, request: String) throws -> KeptAnswer?

    /// Entries of the conflict log, the newest first.
    func conflicts(_ query: ConflictQuery) throws -> [LoggedConflict]

    /// The wire names of the sets that changed after a position: where to look, not what changed.
    ///
    /// - Throws: ``StorageError`` with `gone`, `epochChanged` or `logRestored` when the position cannot be served.
    func changedSets(since position: FeedPosition) throws -> Set<String>

    /// Whether the database gave the key of an entity that was deleted to another one after a position, or may have.
    func isReused(_ key: Key, in set: EntitySet, since position: FeedPosition) throws -> Bool

    /// Whether something but the transactions of a client changed an entity after a position, or may have.
    ///
    /// What this transaction itself changed counts too.
    func isChanged(_ key: Key, in set: EntitySet, since position: FeedPosition, exceptBy client: String) throws -> Bool
}

extension StoreReader {
    /// For readers that have no way to shorten.
    public func prefetch(_ rows: [(key: Key, set: EntitySet)]) throws {}

    /// For readers that do not aggregate.
    public func aggregate(_ plan: AggregationPlan, into sink: any RowSink) throws -> Int {
        throw StorageError(.unsupported, set: plan.set.names.wire, message: "This store does not aggregate.")
    }

    /// For stores that are not published.
    public func publicationKey() throws -> [UInt8]? { nil }

    /// For stores that give no key twice.
    public func isReused(_ key: Key, in set: EntitySet, since position: FeedPosition) throws -> Bool { false }

    /// For stores that do not keep whose doing a change is.
    public func isChanged(
        _ key: Key,
        in set: EntitySet,
        since position: FeedPosition,
        exceptBy client: String
    ) throws -> Bool { true }

    /// For stores without operations of their own.
    public func call(_ function: OperationCall) throws -> OperationResult {
        throw StorageError(
            .unsupported,
            message: "This store does not run the function \(function.operation.names.wire)."
        )
    }
}
