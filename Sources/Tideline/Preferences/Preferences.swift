// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The preferences of one user: what was set, and the schema's defaults for the rest.
///
///     let preferences = try Preferences(schema, in: PreferenceFile(files: files, user: "ada"))
///     preferences.string("zone")                 // the default, until
///     try preferences.set("America/Detroit", for: "zone")
///
/// Reads are from memory. A change is saved before it counts, and told once; an equal value changes nothing.
public final class Preferences: Sendable {
    private typealias Listener = AsyncStream<PreferenceChange>.Continuation

    private struct State {
        var values: [String: PreferenceValue]
        var listeners: [Int: Listener] = [:]
        var nextListener = 0
    }

    public let schema: PreferenceSchema
    /// Why what was saved could not be taken; the defaults hold instead.
    ///
    /// `nil` where all is well.
    public let loadFailure: PreferenceError?
    private let storage: any PreferenceStorage
    private let state: Mutex<State>
    /// Held from a change to the end of its telling; taken before the state.
    private let turn = Mutex(())

    /// Loads what was saved, or the defaults.
    ///
    /// - Throws: what the storage throws when it cannot be reached; not for damage, see ``loadFailure``.
    public init(_ schema: PreferenceSchema, in storage: some PreferenceStorage) throws {
        self.schema = schema
        self.storage = storage
        do {
            state = Mutex(State(values: try storage.load()))
            loadFailure = nil
        } catch let error as PreferenceError where error.code == .damaged {
            state = Mutex(State(values: [:]))
            loadFailure = error
        }
    }

    // MARK: Reading

    /// The value of a key: what was set, where it fits the schema, else the default; `nil` for a key that there is not.
    public subscript(key: String) -> PreferenceValue? {
        guard let specifier = schema[key] else { return nil }
        return state.withLock { Preferences.value(specifier, $0.values[key]) }
    }

    private static func value(_ specifier: PreferenceSpecifier, _ stored: PreferenceValue?) -> PreferenceValue? {
        stored.flatMap(specifier.fitted) ?? specifier.defaultValue
    }

    /// Whether a value was set that fits the schema.
    public func isSet(_ key: String) -> Bool {
        guard let specifier = schema[key] else { return false }
        return state.withLock { $0.values[key].flatMap(specifier.fitted) != nil }
    }

    /// The text of a key; empty where it has none.
    public func string(_ key: String) -> String {
        if case .string(let text)? = self[key] { text } else { "" }
    }

    /// Whether a toggle is on, whatever its value for that is, or another value is true.
    public func bool(_ key: String) -> Bool {
        if case .toggle(_, _, _, let on, _)? = schema[key] { return self[key] == on }
        return self[key] == .boolean(true)
    }

    /// The number of a key; 0 where it has none.
    public func double(_ key: String) -> Double {
        switch self[key] {
        case .double(let number): number
        case .integer(let number): Double(number)
        default: 0
        }
    }

    /// The integer of a key; 0 where it has none.
    public func integer(_ key: String) -> Int64 {
        if case .integer(let number)? = self[key] { number } else { 0 }
    }

    /// All values that are set and fit, by their keys: what ``PreferenceSchema/form(_:)`` takes.
    public var values: [String: PreferenceValue] {
        state.withLock { state in
            state.values.filter { key, value in schema[key]?.fitted(value) != nil }
        }
    }

    // MARK: Setting

    /// Sets a value and saves it; not inside a read or a write of the store that keeps it.
    ///
    /// - Throws: ``PreferenceError``: `unknownKey`, `invalidValue`; what the storage throws. Nothing is changed then.
    public func set(_ value: PreferenceValue, for key: String) throws {
        guard let fitted = try specifier(key).fitted(value) else {
            throw PreferenceError(.invalidValue, key: key, message: "The value does not fit the preference '\(key)'.")
        }
        try change([key: fitted])
    }

    /// Sets a value that a person wrote on a command line or sent with a form, and saves it.
    ///
    /// - Throws: ``PreferenceError``: `unknownKey`, `invalidValue`.
    public func set(text: String, for key: String) throws {
        guard let value = try specifier(key).value(of: text) else {
            throw PreferenceError(.invalidValue, key: key, message: "'\(key)' does not take that. See the help.")
        }
        try change([key: value])
    }

    /// Returns a key to its default.
    public func reset(_ key: String) throws {
        _ = try specifier(key)
        try change([key: nil])
    }

    /// Returns all keys to their defaults.
    public func resetAll() throws {
        let keys = state.withLock { Array($0.values.keys) }
        try change(Dictionary(uniqueKeysWithValues: keys.map { ($0, nil) }))
    }

    private func specifier(_ key: String) throws -> PreferenceSpecifier {
        guard let specifier = schema[key] else {
            throw PreferenceError(.unknownKey, key: key, message: "There is no preference '\(key)'.")
        }
        return specifier
    }

    private func change(_ changes: [String: PreferenceValue?]) throws {
        try telling { values in
            var values = values
            var real: [String: PreferenceValue?] = [:]
            for (key, value) in changes where values[key] != value {
                values[key] = value
                real[key] = .some(value)
            }
            guard !real.isEmpty else { return nil }
            try storage.save(real, all: values)
            return values
        }
    }

    // MARK: Changes

    /// The changes from now on, in their order; nothing comes first.
    ///
    /// A reader that is slow keeps the newest 256. Ends when the task is cancelled.
    public func changes() -> AsyncStream<PreferenceChange> {
        AsyncStream(bufferingPolicy: .bufferingNewest(256)) { continuation in
            let id = state.withLock { state in
                state.nextListener += 1
                state.listeners[state.nextListener] = continuation
                return state.nextListener
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.listeners[id] = nil }
            }
        }
    }

    /// Reads again what is saved, where somebody else may have changed it, and tells what differs.
    public func reload() throws {
        try telling { _ in try storage.load() }
    }

    /// Follows what others do to what is saved, such as a sync, until the task is cancelled or the storage ends.
    public func follow() async throws {
        for await _ in storage.changes() { try reload() }
    }

    /// Takes the values that `body` makes of those of now, where it makes any, and tells how they differ.
    ///
    /// One at a time, so that changes are told in their order. Storage and listeners are not called under the lock of the
    /// state: who reads a preference, or is cancelled, may be what they wait for.
    private func telling(_ body: ([String: PreferenceValue]) throws -> [String: PreferenceValue]?) throws {
        try turn.withLock { _ in
            let before = state.withLock(\.values)
            guard let values = try body(before) else { return }
            let listeners = state.withLock { state in
                state.values = values
                return Array(state.listeners.values)
            }
            for change in changes(from: before, to: values) {
                for listener in listeners { listener.yield(change) }
            }
        }
    }

    private func changes(
        from old: [String: PreferenceValue],
        to new: [String: PreferenceValue]
    ) -> [PreferenceChange] {
        schema.all.compactMap { specifier in
            guard let key = specifier.key, let before = Preferences.value(specifier, old[key]),
                let after = Preferences.value(specifier, new[key]), before != after
            else { return nil }
            return PreferenceChange(key: key, before: before, after: after)
        }
    }
}
