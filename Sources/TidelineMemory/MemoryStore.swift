// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
public import TidelineModel
public import TidelineStorage

/// The reference store: in memory, with many versions, deterministic.
///
///     begin ──► snapshot + own changes ──► commit: merged on top of what others committed, or refused
///
/// It has no clock, and its random numbers come from a generator that is given. Reads never wait; `write` runs one
/// closure after another, ``begin()`` as many transactions as are wanted. Slow where a database has an index: it is
/// what other stores are compared with.
public final class MemoryStore: Store {
    public let model: EntityModel
    let schema: MemorySchema
    private let hasher: ETagHasher
    let now: @Sendable () -> DateTimeOffset
    private let state: Mutex<MemoryState>
    private let writers = Mutex<Void>(())

    /// The key of the ETags.
    public let etagKey: [UInt8]

    /// Makes an empty store.
    ///
    /// - Parameters:
    ///   - model: the sets; foreign keys and delete rules are those of their navigation properties.
    ///   - rules: what the database does beyond the model.
    ///   - random: makes keys, nonces, epochs and the key of the ETags.
    ///   - etagKey: the key of the ETags, 16 bytes, where it is not to be random.
    ///   - now: what `now()` means in expressions, and how old a kept answer is.
    public init(
        model: EntityModel,
        rules: MemoryRules = MemoryRules(),
        random: any RandomNumberGenerator & Sendable = SeededGenerator(seed: 0),
        etagKey: [UInt8]? = nil,
        now: @escaping @Sendable () -> DateTimeOffset = { .earliest }
    ) {
        self.model = model
        self.now = now
        schema = MemorySchema(model: model, rules: rules)
        var state = MemoryState(schema: schema, random: random)
        let key = etagKey ?? state.randomBytes()
        self.etagKey = key
        hasher = ETagHasher(key: key)
        self.state = Mutex(state)
    }

    public func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result {
        try body(reader(of: state.withLock(\.version), pending: []))
    }

    public func write<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result {
        var result: Result?
        try writers.withLock { _ throws(any Error) in
            // Only a transaction of `begin` can come in between.
            for attempt in 1... {
                let transaction = begin()
                do {
                    let value = try body(transaction)
                    try transaction.commit()
                    result = value
                    return
                } catch let error as StorageError where error.code == .busy && attempt < 10 {
                    transaction.rollback()
                }
            }
        }
        guard let result else { throw StorageError(.busy, message: "Other transactions were always first.") }
        return result
    }

    /// Begins a transaction that the caller ends.
    public func begin() -> MemoryTransaction {
        let (version, number, nonce) = state.withLock { ($0.version, $0.nextTransaction(), $0.randomWord()) }
        return MemoryTransaction(store: self, base: version, number: number, nonce: nonce)
    }

    public func compact(_ retention: LogRetention, now: Int64, limit: Int) throws -> LogCompaction {
        state.withLock { $0.compact(retention, now: now, limit: limit) }
    }

    /// Begins the change log anew; positions given before are refused from now on.
    public func beginEpoch() { state.withLock { $0.beginEpoch() } }

    /// What the store holds now.
    public var backup: MemoryBackup { MemoryBackup(version: state.withLock(\.version)) }

    /// Goes back to a copy, made from this store or from another of the same model.
    public func restore(_ backup: MemoryBackup) { state.withLock { $0.restore(backup.version) } }

    // MARK: For transactions

    func change(_ body: (inout MemoryState) throws -> Void) throws {
        try state.withLock { state throws(any Error) in try body(&state) }
    }

    func reader(of version: MemoryVersion, pending: [LogEntry]) -> MemoryReader {
        let relations = MemoryRelations(schema: schema, version: version, now: now())
        return MemoryReader(relations: relations, hasher: hasher, pending: pending)
    }

    /// Makes the value of a generated property.
    func generate(_ place: Int, of set: Int, isTaken: (Value) -> Bool) throws -> Value {
        let property = model.sets[set].type.properties[place]
        switch property.type {
        case .byte, .sbyte, .int16, .int32, .int64:
            while true {
                let value = Value.integer(state.withLock { $0.nextNumber(of: set) })
                if !isTaken(value) { return value }
            }
        case .guid:
            let (high, low) = state.withLock { ($0.randomWord(), $0.randomWord()) }
            return .guid(GUID(randomHigh: high, low: low))
        default:
            guard let value = property.defaultValue else {
                throw StorageError(
                    .unsupported,
                    set: model.sets[set].names.wire,
                    properties: [property.names.wire],
                    message: "The store makes no values of \(property.type.rawValue)."
                )
            }
            return value
        }
    }
}
