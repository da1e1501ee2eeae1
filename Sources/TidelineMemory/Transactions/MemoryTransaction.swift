// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
public import TidelineStorage

/// A transaction that its owner begins and ends: several may be open at once and commit in any order.
///
/// It sees the snapshot of its beginning and its own changes. Of two that change one entity the first to commit wins.
public final class MemoryTransaction: StoreWriter {
    private let store: MemoryStore
    private let base: MemoryVersion
    private var copy: WorkingCopy
    private let number: UInt64
    private let nonce: UInt64
    private var isOpen = true

    init(store: MemoryStore, base: MemoryVersion, number: UInt64, nonce: UInt64) {
        self.store = store
        self.base = base
        copy = WorkingCopy(base)
        self.number = number
        self.nonce = nonce
    }

    // MARK: The end

    /// Makes the changes visible to all that begins later.
    ///
    /// - Throws: ``StorageError``: `busy` when another transaction changed the same entity and committed first; the
    ///   errors of constraints. Nothing is changed then, and the transaction is over.
    public func commit() throws {
        try requireOpen()
        isOpen = false
        guard !copy.isUnchanged else { return }
        let merge = CommitMerge(schema: store.schema, base: base, copy: copy)
        try store.change { state throws(any Error) in state.version = try merge.merged(into: state.version) }
    }

    /// Forgets the changes.
    public func rollback() { isOpen = false }

    private func requireOpen() throws {
        guard isOpen else { throw StorageError(.unsupported, message: "The transaction is over.") }
    }

    // MARK: Reading

    private var reader: MemoryReader {
        get throws {
            try requireOpen()
            return store.reader(of: copy.version, pending: copy.entries)
        }
    }

    public func read(_ plan: ReadPlan, into sink: any RowSink) throws -> PageEnd { try reader.read(plan, into: sink) }
    public func count(_ plan: ReadPlan) throws -> Int { try reader.count(plan) }
    public func entity(_ key: Key, in set: EntitySet) throws -> StoredEntity? { try reader.entity(key, in: set) }
    public func satisfies(
        _ condition: TypedExpression,
        key: Key,
        in set: EntitySet,
        user: UserContext
    ) throws -> Bool {
        try reader.satisfies(condition, key: key, in: set, user: user)
    }

    /// The end of the log as it was when the transaction began: its own changes come after it.
    public func position() throws -> FeedPosition { try reader.position() }

    public func publicationKey() throws -> [UInt8]? { try reader.publicationKey() }
    @discardableResult
    public func changes(_ query: ChangeQuery, _ receive: (ChangedKey) throws -> Void) throws -> FeedPosition? {
        try reader.changes(query, receive)
    }
    public func changedSets(since position: FeedPosition) throws -> Set<String> {
        try reader.changedSets(since: position)
    }
    public func isChanged(
        _ key: Key,
        in set: EntitySet,
        since position: FeedPosition,
        exceptBy client: String
    ) throws -> Bool {
        try reader.isChanged(key, in: set, since: position, exceptBy: client)
    }
    public func conflicts(_ query: ConflictQuery) throws -> [LoggedConflict] { try reader.conflicts(query) }
    public func mark(client: String) throws -> ClientMark? { try reader.mark(client: client) }
    public func answer(client: String, request: String) throws -> KeptAnswer? {
        try reader.answer(client: client, request: request)
    }

    // MARK: Writing

    public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
        try requireOpen()
        let saved = copy
        do {
            return try body()
        } catch {
            copy = saved
            throw error
        }
    }

    /// Runs one change; its immediate constraints are checked at its end, and nothing of it stays when one is broken.
    private func statement<Result>(_ body: (inout WorkingCopy) throws -> Result) throws -> Result {
        try requireOpen()
        var next = copy
        let first = next.entries.count
        let result = try body(&next)
        let touched = next.entries[first...].map { WorkingCopy.Place(set: $0.set, key: $0.key) }
        try ConstraintChecker(schema: store.schema, version: next.version, before: copy.version)
            .check(touched, .immediate)
        copy = next
        return result
    }

    private func writable(_ set: EntitySet) throws -> Int {
        let place = try store.schema.place(of: set)
        guard !store.schema.model.sets[place].isReadOnly else {
            throw StorageError(.unsupported, set: set.names.wire, message: "\(set.names.wire) can only be read.")
        }
        return place
    }

    public func insert(_ values: [Int: Value], into set: EntitySet) throws -> Key {
        let place = try writable(set)
        let builder = RowBuilder(schema: store.schema, place: place)
        return try statement { copy in
            let row = try builder.inserted(values) {
                try store.generate($0, of: place, isTaken: { isTaken($0, place) })
            }
            let key = builder.key(of: row)
            try put(row, .init(set: place, key: key), in: &copy)
            return key
        }
    }

    /// Whether a number is the key of an entity already, as after an update of the key.
    private func isTaken(_ value: Value, _ place: Int) -> Bool { copy.version.tables[place][Key([value])] != nil }

    private func put(_ row: [Value], _ place: WorkingCopy.Place, in copy: inout WorkingCopy) throws {
        guard copy.version.tables[place.set][place.key] == nil else {
            let set = store.schema.model.sets[place.set]
            throw StorageError(
                .duplicateKey,
                set: set.names.wire,
                properties: store.schema.names(set.type.key, of: place.set),
                message: "An entity with this key exists."
            )
        }
        copy.set(MemoryRow(values: row, transaction: number), at: place, nonce: nonce)
    }

    public func update(_ key: Key, _ values: [Int: Value], in set: EntitySet) throws -> Bool {
        let place = try writable(set)
        let builder = RowBuilder(schema: store.schema, place: place)
        let isChange = values.keys.contains { set.type.properties[$0].generation != .always }
        return try statement { copy in
            guard let old = copy.version.tables[place][key] else { return false }
            guard isChange else { return true }
            let row = try builder.updated(old.values, values)
            let newKey = builder.key(of: row)
            if newKey == key {
                let new = MemoryRow(values: row, transaction: number)
                copy.set(new, at: .init(set: place, key: key), nonce: nonce)
            } else {
                copy.set(nil, at: .init(set: place, key: key), nonce: nonce)
                try put(row, .init(set: place, key: newKey), in: &copy)
            }
            return true
        }
    }

    public func delete(_ key: Key, in set: EntitySet) throws -> Bool {
        let place = WorkingCopy.Place(set: try writable(set), key: key)
        let remover = RowRemover(schema: store.schema, transaction: number, nonce: nonce)
        return try statement { copy in
            guard copy.version.tables[place.set][key] != nil else { return false }
            try remover.remove(place, from: &copy)
            return true
        }
    }

    public func checkDeferredConstraints() throws {
        try requireOpen()
        try ConstraintChecker(schema: store.schema, version: copy.version, before: base).check(copy.touched, .deferred)
    }

    // MARK: Repeatable requests

    public func setMark(_ mark: ClientMark, client: String) throws {
        try requireOpen()
        copy.version.marks[client] = mark
        copy.clients.insert(client)
    }

    public func setAuthor(_ client: String, since position: FeedPosition) throws {
        try requireOpen()
        // The end of the log at the beginning: what the transaction has changed comes after it.
        _ = try base.log.entries(seenBy: position)
        for place in copy.entries.indices { copy.entries[place].author = client }
    }

    public func keep(_ answer: KeptAnswer, client: String, request: String) throws {
        try requireOpen()
        copy.version.answers[.init(client: client, request: request)] = .init(
            answer: answer,
            keptAt: store.now().seconds
        )
        copy.clients.insert(client)
    }

    public func forgetAnswer(client: String, request: String) throws -> Bool {
        try requireOpen()
        copy.clients.insert(client)
        return copy.version.answers.removeValue(forKey: .init(client: client, request: request)) != nil
    }

    public func forgetAnswers(client: String, through transaction: Int64) throws {
        try requireOpen()
        for (request, answer) in copy.version.answers
        where request.client == client && answer.answer.transaction.map({ $0 <= transaction }) == true {
            copy.version.answers[request] = nil
        }
        copy.clients.insert(client)
    }

    public func forgetAnswers(olderThan seconds: Int64) throws {
        try requireOpen()
        let end = store.now().seconds - seconds
        for (request, answer) in copy.version.answers where answer.answer.transaction == nil && answer.keptAt < end {
            copy.version.answers[request] = nil
            copy.clients.insert(request.client)
        }
    }

    // MARK: Conflicts

    func change(_ change: ConflictChange) throws {
        try requireOpen()
        copy.change(change)
    }
}
