// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// A deleted row that rows of another set may not refer to any more when the transaction ends.
struct Denial {
    var reference: SetLayout.Reference
    /// The key of the deleted row.
    var parent: [Value]
    /// The values that the references to it have.
    var values: [Value]
}

/// Noting what changes break, and the checks that only the end of a transaction can make.
extension LocalTransaction {
    /// Notes what values of a row break.
    ///
    /// - Returns: whether the row can be stored until the refusal: not without a key.
    func note(_ broken: [ValueError], _ key: Key, _ set: SetLayout) throws -> Bool {
        var isStorable = true
        for error in broken {
            guard let place = set.set.type.propertyIndex(wire: error.property) else { continue }
            let isKey = set.key.contains(place)
            if isKey, error.isUnstorable { isStorable = false }
            let failure = ValidationFailure(error, set.columns[place].property, set: set.name, key: key)
            try failures.add(error.storeCode(isKey: isKey), failure)
        }
        return isStorable
    }

    /// The error of an insert whose key is taken: thrown at once, because a closure may want to change the row instead.
    func taken(_ key: Key, _ set: SetLayout) -> LocalStoreError {
        let failure = ValidationFailure(set: set.name, key: key, properties: set.names(set.key), rule: .key)
        var error = LocalStoreError(
            .duplicateKey,
            set: set.name,
            properties: failure.properties,
            message: failure.message
        )
        error.failures = [failure]
        return error
    }

    /// Runs `body`; an error of the store leaves with the failures that were noted before it.
    ///
    /// With a taken key leaves all that the end of the transaction would have found.
    func telling<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as LocalStoreError where error.code == .duplicateKey && !error.failures.isEmpty {
            for failure in error.failures { try failures.add(.duplicateKey, failure) }
            try check(hasRewrites ? decoded() : nil)
            try failures.raise()
            throw error
        } catch var error as LocalStoreError where error.failures.isEmpty {
            error.failures = failures.all
            throw error
        }
    }

    /// The key of a packed row.
    func key(in record: PackedBuffer, from values: Int, _ set: SetLayout) throws -> Key {
        var reader = record.reader(from: values)
        var key = set.key.map { _ in Value.null }
        for column in set.columns {
            let stored = reader.next()
            if let turn = set.key.firstIndex(of: column.place) { key[turn] = try column.value(stored) }
        }
        return Key(key)
    }

    /// Checks the changes as a whole, on the rows as they end.
    ///
    /// - Parameter changes: the changes, or `nil` where they are inserts alone, which stay packed.
    func check(_ changes: [OutboxChange]?) throws {
        try checkReferences(changes)
        try checkUniqueValues(changes)
        try checkConditions(changes)
    }
}
