// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ModelGuesses {
    /// Derived types and the version of one entity type.
    mutating func finish(_ type: inout EntityType, of draft: TableDraft) {
        findVersion(&type, draft)
        findDerived(&type, draft)
    }

    private static let versionNames: Set = ["version", "rowversion", "rowver", "revision", "etag", "lockversion"]

    private mutating func findVersion(_ type: inout EntityType, _ draft: TableDraft) {
        let place = type.properties.firstIndex { property in
            Self.versionNames.contains(property.names.database.lowercased().filter { $0 != "_" })
                && property.container == nil && property.structure == nil && property.stream == nil
                && !draft.isReference(property.names.database)
        }
        guard let place else { return }
        let column = type.properties[place].names.database
        guard draft.triggered.contains(column.lowercased()) else { return }
        let isWanted = decide(
            .versions,
            draft.name,
            decided: "\(draft.name): the column \(column), which a trigger changes, is the version of a row: its ETag.",
            hint:
                "\(draft.name): a trigger changes the column \(column); it could be the version of a row (version: \(column))."
        )
        guard isWanted else { return }
        type.version = place
        type.properties[place].isReadOnly = true
    }

    /// A column whose CHECK lists its values, with CHECKs that leave other columns null in the rows of other values.
    private mutating func findDerived(_ type: inout EntityType, _ draft: TableDraft) {
        let byColumn = Dictionary(grouping: draft.rules.owners, by: \.discriminator)
        guard byColumn.count == 1, let (column, owners) = byColumn.first,
            let place = type.properties.firstIndex(where: { $0.names.database.lowercased() == column }),
            let texts = draft.rules[column]?.texts, texts.count > 1,
            owners.allSatisfy({ texts.contains($0.value) }), texts.allSatisfy({ WireNames.identifier($0) == $0 })
        else { return }
        let values = Set(owners.map(\.value))
        let list = values.sorted().joined(separator: ", ")
        let isWanted = decide(
            .derived,
            draft.name,
            decided: "\(draft.name): \(list) in the column \(column) become derived types.",
            hint: "\(draft.name): \(list) in the column \(column) could be derived types."
        )
        guard isWanted else { return }
        // The discriminator stays a text, or the member that the text names.
        func value(_ text: String) -> Value? {
            guard let name = type.properties[place].enumeration else { return .string(text) }
            return enumerations.first { $0.names.wire == name }?.value(of: text).map(Value.integer)
        }
        type.discriminator = place
        for text in texts where values.contains(text) {
            let name = types.first(of: [
                WireNames.code(text, capital: true), type.names.code + WireNames.code(text, capital: true),
            ])
            type.derivedTypes.append(DerivedType(names: Names(wire: name), discriminatorValue: value(text)))
            for owner in owners where owner.value == text {
                for index in type.properties.indices
                where owner.columns.contains(type.properties[index].names.database.lowercased())
                    && type.properties[index].isNullable && !type.key.contains(index)
                {
                    type.properties[index].declaringType = name
                }
            }
        }
    }

    /// Tables of one row at most, by a CHECK that allows one key.
    mutating func singletons(of sets: [EntitySet]) -> [Singleton] {
        var names = WireNames(taken: sets.map(\.names.wire))
        var singletons: [Singleton] = []
        for (set, draft) in zip(sets, drafts) {
            guard !set.isReadOnly, set.type.key.count == 1 else { continue }
            let key = set.type.properties[set.type.key[0]]
            let rule = draft.rules[key.names.database]
            var only: Value?
            if let number = rule?.integers, number.count == 1, key.type.integerRange?.contains(number[0]) == true {
                only = .integer(number[0])
            } else if let texts = rule?.texts, texts.count == 1, key.type == .string {
                only = .string(texts[0])
            }
            guard let only else { continue }
            let name = names.first(of: [set.type.names.wire, "The\(set.type.names.code)"])
            singletons.append(
                Singleton(
                    names: Names(wire: name, code: WireNames.code(name, capital: false)),
                    set: set.names.wire,
                    key: Key([only]),
                    isNullable: true
                )
            )
            problems.append(
                .note(draft.name, "\(draft.name) has one row at most: the singleton \(name) is it.")
            )
        }
        return singletons
    }
}
