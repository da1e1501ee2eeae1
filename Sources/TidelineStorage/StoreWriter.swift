// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// What can be changed in one transaction of a store.
///
/// Everything read here sees the changes made before.
public protocol StoreWriter: StoreReader {
    /// Runs `body`; when it throws, its changes alone are undone and the error is passed on.
    func savepoint<Result>(_ body: () throws -> Result) throws -> Result

    /// Inserts an entity.
    ///
    /// - Parameter values: the properties to set, by place; defaults apply to the others.
    /// - Returns: the key, with what the database generated.
    /// - Throws: ``StorageError`` with `duplicateKey`, `duplicateValue`, `missingReference`, `constraint`, `nullValue`.
    func insert(_ values: [Int: Value], into set: EntitySet) throws -> Key

    /// Changes properties of one entity.
    ///
    /// - Returns: false when there is no such entity.
    func update(_ key: Key, _ values: [Int: Value], in set: EntitySet) throws -> Bool

    /// Deletes one entity; what the database does with its dependents happens.
    ///
    /// - Returns: false when there was no such entity.
    func delete(_ key: Key, in set: EntitySet) throws -> Bool

    /// Performs an action whose body is SQL or a routine; when it fails, all that it changed is undone.
    ///
    /// - Throws: ``StorageError`` as ``insert(_:into:)``, and `tooManyRows`, `unreadableValue`.
    func perform(_ action: OperationCall) throws -> OperationResult

    /// Makes constraints that the database defers speak now, so that none is left for the commit.
    func checkDeferredConstraints() throws

    /// Remembers the last decided repeatable request of a client.
    func setMark(_ mark: ClientMark, client: String) throws

    /// Keeps whose doing it is what this transaction has changed after a position, the end of the log at its beginning;
    /// see ``StoreReader/isChanged(_:in:since:exceptBy:)``. Nothing is kept where it has changed nothing yet.
    func setAuthor(_ client: String, since position: FeedPosition) throws

    /// Keeps the answer of a repeatable request, in the transaction of its effect.
    func keep(_ answer: KeptAnswer, client: String, request: String) throws

    /// Forgets the answers of a client up to and with a transaction number: it has seen them.
    func forgetAnswers(client: String, through transaction: Int64) throws

    /// Forgets one kept answer.
    ///
    /// - Returns: false when there was none.
    func forgetAnswer(client: String, request: String) throws -> Bool

    /// Forgets the answers to requests without a transaction number that were kept longer ago than `seconds`, of all
    /// clients.
    func forgetAnswers(olderThan seconds: Int64) throws

    /// Adds an entry to the conflict log; its number is the next.
    func log(_ conflict: LoggedConflict) throws

    /// Closes an open entry: its device has written the row since.
    func close(conflict id: Int64) throws

    /// Takes an entry out of the conflict log: another one says all that it does.
    func remove(conflict id: Int64) throws

    /// Remembers that the values of an entry were restored.
    ///
    /// - Parameter time: in seconds from 1970.
    func setRestored(conflict id: Int64, at time: Int64) throws
}

extension StoreWriter {
    /// For stores that do not keep whose doing a change is.
    public func setAuthor(_ client: String, since position: FeedPosition) throws {}

    /// For stores without operations of their own.
    public func perform(_ action: OperationCall) throws -> OperationResult {
        throw StorageError(
            .unsupported,
            message: "This store does not perform the action \(action.operation.names.wire)."
        )
    }
}
