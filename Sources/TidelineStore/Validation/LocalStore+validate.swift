// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension LocalStore {
    /// What a save of these changes would break; none where it would pass.
    ///
    /// Nothing is changed.
    ///
    ///     let failures = try store.validate { try $0.update(key, ["Name": .string(field.text)], in: "Clients") }
    ///
    /// The whole transaction is tried, references, unique values and rules included, and taken back. Blocks the thread;
    /// writers queue.
    /// - Returns: the failures in the order in which they were noticed, a thousand at the most.
    /// - Throws: what `body` throws, and ``LocalStoreError`` for what is no matter of values, such as an unknown property.
    @_disfavoredOverload
    public func validate(_ body: (LocalTransaction) throws -> Void) throws -> [ValidationFailure] {
        do {
            return try writing { connection in
                let transaction = LocalTransaction(connection)
                defer { transaction.end() }
                do {
                    try transaction.telling { try body(transaction) }
                    throw Tried(failures: try transaction.broken())
                } catch let error as LocalStoreError where error.isRefusal {
                    throw Tried(failures: error.failures)
                }
            }
        } catch let tried as Tried {
            return tried.failures
        }
    }

    /// What a save of these changes would break, asked on a thread of the store; none where it would pass.
    public func validate(
        _ body: @escaping @Sendable (LocalTransaction) throws -> Void
    ) async throws -> [ValidationFailure] {
        try await onThread { try self.validate { try body($0) } }
    }

    /// Takes the transaction back.
    private struct Tried: Error {
        var failures: [ValidationFailure]
    }
}

extension LocalStoreError {
    /// Whether rules were broken, and not the store misused.
    fileprivate var isRefusal: Bool {
        switch code {
        case .nullValue, .invalidValue, .invalidKey, .duplicateKey, .duplicateValue, .missingReference,
            .stillReferenced, .brokenRule:
            !failures.isEmpty
        default: false
        }
    }
}

extension LocalTransaction {
    /// What the changes made so far break, the checks of the transaction's end among them.
    fileprivate func broken() throws -> [ValidationFailure] {
        try check(hasRewrites ? decoded() : nil)
        return failures.all
    }
}
