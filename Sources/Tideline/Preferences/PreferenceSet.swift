// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TidelineModel
import TidelineStorage
public import TidelineStore

/// Preferences as rows of a store: a key and a JSON text each, which sync as all rows do.
public struct PreferenceSet: PreferenceStorage {
    private let store: LocalStore
    private let set: String
    private let keyProperty: String
    private let valueProperty: String

    /// - Parameters:
    ///   - set: the wire name of an entity set whose key is one text, and which has a text for the value.
    /// - Throws: `LocalStoreError`, `unknownSet` or `unknownProperty`.
    public init(store: LocalStore, set: String, value: String = "Value") throws {
        guard let type = store.model[set: set]?.type else {
            throw LocalStoreError(.unknownSet, set: set, message: "The store has no entity set '\(set)'.")
        }
        let key = type.key.map { type.properties[$0] }
        guard key.count == 1, key[0].type == .string, let place = type.propertyIndex(wire: value),
            type.properties[place].type == .string
        else {
            throw LocalStoreError(
                .unknownProperty,
                set: set,
                properties: [value],
                message: "Preferences need a set with a key that is one text, and the text '\(value)'."
            )
        }
        self.store = store
        self.set = set
        keyProperty = key[0].names.wire
        valueProperty = value
    }

    private func plan() throws -> ReadPlan {
        guard let entitySet = store.model[set: set] else {
            throw LocalStoreError(.unknownSet, set: set, message: "The store has no entity set '\(set)'.")
        }
        return ReadPlan(model: store.model, set: entitySet)
    }

    public func load() throws -> [String: PreferenceValue] {
        var values: [String: PreferenceValue] = [:]
        for row in try store.fetch(plan()) {
            guard case .string(let key)? = row[keyProperty], case .string(let text)? = row[valueProperty] else {
                continue
            }
            // What another release wrote may be of no form that is known here: it reads as never set, and stays.
            values[key] = try? JSONDecoder().decode(PreferenceValue.self, from: Data(text.utf8))
        }
        return values
    }

    public func save(_ changes: [String: PreferenceValue?], all: [String: PreferenceValue]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try store.write { transaction in
            for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
                let key = Key([.string(name)])
                guard let value else {
                    try transaction.delete(key, in: set)
                    continue
                }
                let text = Value.string(String(decoding: try encoder.encode(value), as: UTF8.self))
                if try !transaction.update(key, [valueProperty: text], in: set) {
                    try transaction.insert([keyProperty: .string(name), valueProperty: text], into: set)
                }
            }
        }
    }

    public func changes() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                do {
                    for try await _ in store.results(of: try plan()) { continuation.yield() }
                } catch {}
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
