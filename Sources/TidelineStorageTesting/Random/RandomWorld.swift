// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
public import TidelineModel
public import TidelineStorage

/// A random model with random rows and plans, all decided by a seed, for two stores to be compared.
///
///     let world = RandomWorld(seed: 7)
///     try world.fill(store)           // tables of world.model, made by the test
///     try world.fill(reference)
///     try world.compare(store, with: reference)
public struct RandomWorld: Sendable {
    public let seed: UInt64
    /// The model; names in the database are in lower case.
    public let model: EntityModel
    private let rows: [(set: Int, values: [Int: Value])]

    /// - Parameters:
    ///   - seed: decides everything.
    ///   - usesForms: whether properties get storage forms other than the natural one.
    public init(seed: UInt64, usesForms: Bool = false) {
        self.seed = seed
        let dice = Dice(seed: seed)
        model = RandomModel(dice: dice, usesForms: usesForms).make()
        let values = RandomValues(dice: dice)
        var rows: [(set: Int, values: [Int: Value])] = []
        var keys = [[[Value]]](repeating: [], count: model.sets.count)
        for (set, type) in model.sets.map(\.type).enumerated() {
            for number in 0..<dice.number(3...25) {
                var row: [Int: Value] = [:]
                for (place, property) in type.properties.enumerated() { row[place] = values.value(of: property) }
                for place in type.key { row[place] = values.key(number, of: type.properties[place].type) }
                var isComplete = true
                for navigation in type.navigationProperties where navigation.isDependent {
                    let target = model.setIndex(wire: navigation.targetSet) ?? 0
                    guard !keys[target].isEmpty, !navigation.isNullable || dice.chance(3, in: 4) else {
                        isComplete = isComplete && navigation.isNullable
                        for pair in navigation.constraints { row[pair.source] = .null }
                        continue
                    }
                    let key = dice.pick(keys[target])
                    for (pair, value) in zip(navigation.constraints, key) { row[pair.source] = value }
                }
                guard isComplete else { continue }
                rows.append((set, row))
                keys[set].append(type.key.map { row[$0] ?? .null })
            }
        }
        self.rows = rows
    }

    /// Inserts the rows in one transaction.
    public func fill(_ store: any Store) throws {
        try store.write { writer in
            for row in rows { _ = try writer.insert(row.values, into: model.sets[row.set]) }
        }
    }

    /// Reads plans through two stores, all pages of each, and expects the same bytes, counts and answers.
    ///
    /// - Parameter plans: how many.
    public func compare(_ store: any Store, with reference: any Store, plans: Int = 40) throws {
        let dice = Dice(seed: seed &+ 0x5eed)
        let maker = RandomPlans(dice: dice, model: model)
        for number in 0..<plans {
            let plan = maker.plan()
            let expected = try Self.outcome(plan, reference)
            let found = try Self.outcome(plan, store)
            guard found != expected else { continue }
            Issue.record(
                """
                Seed \(seed), plan \(number): the stores read different rows.
                set \(plan.set.names.wire), columns \(plan.columns), skip \(plan.skip), top \(plan.top as Any), \
                page \(plan.pageLimit), expansions \(plan.expansions.map(\.navigation))
                filter \(plan.filter.map { "\($0)" } ?? "none")
                order \(plan.orderBy.map { "\($0)" })
                reference \(expected.text)
                found     \(found.text)
                """
            )
            return
        }
    }

    /// What a store makes of a plan.
    private struct Outcome: Equatable {
        var bytes: [UInt8] = []
        var ends: [PageEnd] = []
        var count = 0
        var answers: [Bool] = []
        var text = ""

        static func == (left: Outcome, right: Outcome) -> Bool {
            left.bytes == right.bytes && left.ends == right.ends && left.count == right.count
                && left.answers == right.answers
        }
    }

    private static func outcome(_ plan: ReadPlan, _ store: any Store) throws -> Outcome {
        try store.read { reader in
            var outcome = Outcome()
            var plan = plan
            outcome.count = try reader.count(plan)
            if let filter = plan.filter {
                for key in try keys(plan.set, plan.model, reader) {
                    outcome.answers.append(try reader.satisfies(filter, key: key, in: plan.set, user: plan.user))
                }
            }
            for _ in 0..<60 {
                let (sink, recorder) = (ByteSink(), RowRecorder())
                let end = try reader.read(plan, into: sink)
                _ = try reader.read(plan, into: recorder)
                outcome.bytes += sink.bytes
                outcome.ends.append(end)
                outcome.text += "\n    \(recorder.lines) \(end.continuation.map { "\($0)" } ?? "")"
                guard let continuation = end.continuation else { break }
                plan.after = continuation
                plan.skip = 0
                plan.top = plan.top.map { $0 - end.rows }
            }
            outcome.text += "\n    count \(outcome.count) \(outcome.answers)"
            return outcome
        }
    }

    /// The keys of all entities of a set, in their order.
    private static func keys(_ set: EntitySet, _ model: EntityModel, _ reader: any StoreReader) throws -> [Key] {
        let sink = KeySink(set.type.key.map { set.type.properties[$0].type })
        let plan = ReadPlan(model: model, set: set, columns: set.type.key, includesETag: false)
        _ = try reader.read(plan, into: sink)
        return sink.keys
    }
}

/// Keeps the keys that are pushed.
private final class KeySink: RowSink {
    private let types: [PrimitiveType]
    private var values: [Value] = []
    private(set) var keys: [Key] = []

    init(_ types: [PrimitiveType]) { self.types = types }

    func beginRow() { values = [] }
    func null() { values.append(.null) }
    func boolean(_ value: Bool) { values.append(.boolean(value)) }
    func integer(_ value: Int64) { values.append(.integer(value)) }
    func double(_ value: Double) { values.append(.double(value)) }
    func text(_ utf8: UnsafeRawBufferPointer) {
        values.append(unsafe Value(utf8: utf8, as: types[values.count]) ?? .null)
    }
    func binary(_ bytes: UnsafeRawBufferPointer) { values.append(.binary(unsafe Array(bytes))) }
    func beginExpansion(_ index: Int) {}
    func endExpansion(_ index: Int, count: Int?) {}
    func endRow(etag: ETag?) { keys.append(Key(values)) }
}
