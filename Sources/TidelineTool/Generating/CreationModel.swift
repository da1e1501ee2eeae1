// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// A model as tables can be made for it, and what of it was changed for that.
struct CreationModel {
    private(set) var model: EntityModel
    /// What differs from the model that was given, as sentences.
    private(set) var notes: [String] = []

    /// - Throws: ``CommandFailure`` for what no table can hold.
    init(_ given: EntityModel) throws {
        var sets: [EntitySet] = []
        var problems: [String] = []
        for set in given.sets {
            var set = set
            if !set.type.derivedTypes.isEmpty {
                problems.append("\(set.names.wire) has derived types, and nothing says which rows are of which type.")
            }
            if set.type.properties.contains(where: { $0.structure == .dynamic }) {
                problems.append("\(set.names.wire) is open: its properties are not all declared.")
            }
            if set.type.hasGeneratedKey, set.type.key.count > 1 {
                problems.append("The key of \(set.names.wire) has several properties, and one of them is counted.")
            }
            if set.isReadOnly {
                notes.append("\(set.names.wire) could only be read; here it can be changed too.")
                set.isReadOnly = false
            }
            for place in set.type.properties.indices {
                if let note = Self.adapt(&set.type.properties[place], isKey: set.type.key.contains(place)) {
                    notes.append("\(set.names.wire).\(set.type.properties[place].names.wire) \(note)")
                }
            }
            set.type.version = nil
            sets.append(set)
        }
        guard !sets.isEmpty else { throw CommandFailure("The model has no entity sets.") }
        guard problems.isEmpty else {
            throw CommandFailure("No database can be made for the model.", why: problems.joined(separator: "\n"))
        }
        for operation in given.operations {
            notes.append(
                "The \(operation.kind.rawValue) \(operation.names.wire) is left out: nothing says what it does."
            )
        }
        for singleton in given.singletons { notes.append("The singleton \(singleton.names.wire) is left out.") }
        model = given.replacing(sets: sets)
        model.operations = []
        model.singletons = []
    }

    /// - Returns: what was changed, as the end of a sentence, or `nil`.
    private static func adapt(_ property: inout Property, isKey: Bool) -> String? {
        if property.stream != nil {
            property.isNullable = true
            return nil
        }
        if property.isLocalOnly { property.isLocalOnly = false }
        let isCounted = isKey && property.generation == .onInsert && property.type.integerRange != nil
        let isRandom = property.generation == .onInsert && property.type == .guid
        guard property.generation != .none, !isCounted, !isRandom else { return nil }
        property.generation = .none
        property.isReadOnly = false
        if !isKey { property.isNullable = true }
        return "was computed elsewhere; here it is an ordinary property."
    }
}
