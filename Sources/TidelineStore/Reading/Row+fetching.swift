// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
public import TidelineStorage

extension Connection {
    /// The rows of a plan, with their keys also where the plan does not read them.
    func rows(_ plan: ReadPlan) throws -> [Row] {
        let set = try layout.set(plan.set.names.wire).set
        let shape = Row.Shape(set)
        var plan = plan
        plan.columns += set.type.key.filter { !plan.columns.contains($0) }
        return try dynamicRows(plan).map { try Row(loadedFrom: $0, shape) }
    }

    func rows(in name: String) throws -> [Row] {
        try rows(ReadPlan(model: layout.model, set: layout.set(name).set))
    }

    func row(_ key: Key, in name: String) throws -> Row? {
        let shape = Row.Shape(try layout.set(name).set)
        return try entity(key, in: name).map { try Row(loadedFrom: $0, shape) }
    }
}

extension LocalReader {
    /// The rows of a plan; what its columns leave out is not loaded.
    public func rows(_ plan: ReadPlan) throws -> [Row] { try connection.rows(plan) }

    /// All rows of a set, by key.
    public func rows(in set: String) throws -> [Row] { try connection.rows(in: set) }

    /// The row of a key, or `nil`.
    public func row(_ key: Key, in set: String) throws -> Row? { try connection.row(key, in: set) }
}

extension LocalTransaction {
    /// The rows of a plan, with the changes of this transaction; what its columns leave out is not loaded.
    public func rows(_ plan: ReadPlan) throws -> [Row] { try connection.rows(plan) }

    /// All rows of a set, by key, with the changes of this transaction.
    public func rows(in set: String) throws -> [Row] { try connection.rows(in: set) }

    /// The row of a key, or `nil`.
    public func row(_ key: Key, in set: String) throws -> Row? { try connection.row(key, in: set) }
}

extension LocalStore {
    /// The rows of a plan; what its columns leave out is not loaded.
    public func rows(_ plan: ReadPlan) throws -> [Row] { try reading { try $0.rows(plan) } }

    /// All rows of a set, by key.
    public func rows(in set: String) throws -> [Row] { try reading { try $0.rows(in: set) } }

    /// The row of a key, or `nil`.
    public func row(_ key: Key, in set: String) throws -> Row? { try reading { try $0.row(key, in: set) } }

    /// A new row of a set with the defaults of its properties and some values, in no store until it is saved.
    ///
    /// - Throws: ``LocalStoreError``: `unknownSet`, and as ``Row/init(newIn:_:)`` does.
    public func newRow(in set: String, _ values: [String: Value] = [:]) throws -> Row {
        try Row(newIn: layout.set(set).set, values)
    }
}
