// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Takes the values of one entity's properties in the type's order: the fast way into a store.
///
/// What does not fit its property is remembered for the store, which refuses the transaction.
public struct Binder {
    private let set: SetLayout
    private let rules: [DeviceColumn.Rule]
    private let buffer: PackedBuffer
    private var place = 0
    /// What cannot be gone on with.
    private var failure: LocalStoreError?
    /// What the values break; null stands for a value that has no form in the file.
    private(set) var violations: [ValueError] = []
    /// Makes a temporary key where 0 stands for one; `nil` where keys are given.
    var makesKey: (() throws -> Int64)?

    init(_ set: SetLayout, _ buffer: PackedBuffer) {
        self.set = set
        rules = set.rules
        self.buffer = buffer
    }

    /// The rule of the next property, or `nil` when there are too many values.
    @inline(__always)
    private mutating func next() -> DeviceColumn.Rule? {
        guard place < rules.count else {
            place += 1
            return nil
        }
        defer { place += 1 }
        return rules[place]
    }

    private mutating func refuse(_ what: String, _ code: ValueError.Code) {
        buffer.null()
        guard place > 0, place <= set.columns.count else { return }
        violations.append(set.columns[place - 1].violation(code, what))
    }

    private mutating func refuseKey(_ what: String) {
        buffer.null()
        guard failure == nil, place > 0, place <= set.columns.count else { return }
        failure = set.columns[place - 1].refused(what, .invalidKey)
    }

    /// Throws where no row can be made at all.
    func finish() throws {
        if let failure { throw failure }
        guard place == rules.count else {
            throw LocalStoreError(
                .invalidValue,
                set: set.name,
                message: "An entity of '\(set.name)' bound \(place) values for \(rules.count) properties."
            )
        }
    }

    /// The next property is null.
    public mutating func null() {
        guard let rule = next() else { return }
        if rule.isGeneratedKey { return generate() }
        guard rule.isNullable else { return refuse("is required and cannot be null", .null) }
        buffer.null()
    }

    private mutating func generate() {
        guard let makesKey else { return refuseKey("is missing") }
        do { buffer.integer(try makesKey()) } catch {
            buffer.null()
            failure = failure ?? (error as? LocalStoreError)
        }
    }

    /// The next property is a Boolean.
    public mutating func bind(_ value: Bool) {
        guard let rule = next() else { return }
        guard rule.form == .boolean else { return refuse("has another type", .wrongType) }
        guard !rule.isGuarded else { return slow(.boolean(value)) }
        buffer.integer(value ? 1 : 0)
    }

    /// The next property is an integer; of a decimal or floating-point property too.
    public mutating func bind(_ value: Int64) {
        guard let rule = next() else { return }
        if rule.form == .integer {
            if rule.isGeneratedKey, makesKey != nil {
                guard value == 0 else { return refuseKey("is made by the server and cannot be given") }
                return generate()
            }
            if value >= rule.low, value <= rule.high { return buffer.integer(value) }
        }
        slow(.integer(value))
    }

    /// The next property is a floating-point number.
    public mutating func bind(_ value: Double) {
        guard let rule = next() else { return }
        guard rule.form == .double else { return refuse("has another type", .wrongType) }
        guard !value.isNaN, !rule.isGuarded else { return slow(.double(value)) }
        buffer.double(value)
    }

    /// The next property is a string.
    public mutating func bind(_ value: String) {
        guard let rule = next() else { return }
        guard rule.form == .string else { return refuse("has another type", .wrongType) }
        if value.utf8.count > rule.maxLength, value.unicodeScalars.count > rule.maxLength {
            return slow(.string(value))
        }
        guard !value.utf8.contains(0) else { return refuse("has the character U+0000", .nullCharacter) }
        buffer.text(value)
    }

    /// The next property is binary.
    public mutating func bind(_ value: [UInt8]) {
        guard let rule = next() else { return }
        guard rule.form == .binary else { return refuse("has another type", .wrongType) }
        guard value.count <= rule.maxLength else { return slow(.binary(value)) }
        buffer.blob(value)
    }

    /// The next property is a decimal.
    public mutating func bind(_ value: EdmDecimal) {
        guard let rule = next() else { return }
        if rule.form == .decimalScaled, value.scale == rule.scale, let scaled = Int64(exactly: value.coefficient),
            scaled >= rule.low, scaled <= rule.high
        {
            return buffer.integer(scaled)
        }
        slow(.decimal(value))
    }

    /// The next property is a GUID.
    public mutating func bind(_ value: GUID) { general(.guid(value)) }

    /// The next property is a date.
    public mutating func bind(_ value: CalendarDate) { general(.date(value)) }

    /// The next property is a time of day.
    public mutating func bind(_ value: TimeOfDay) { general(.timeOfDay(value)) }

    /// The next property is a moment.
    public mutating func bind(_ value: DateTimeOffset) { general(.dateTimeOffset(value)) }

    /// The next property is a duration.
    public mutating func bind(_ value: Duration) { general(.duration(value)) }

    private mutating func general(_ value: Value) {
        guard next() != nil else { return }
        slow(value)
    }

    /// Checks and appends a value for the property that was counted last.
    private mutating func slow(_ value: Value) {
        guard place <= set.columns.count else { return }
        violations += set.columns[place - 1].append(checked: value, to: buffer)
    }
}
