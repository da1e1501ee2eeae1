// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Makes a model of drafts of tables, by the rules that every store shares.
///
///     names of sets and types ─► unique keys ─► navigation properties
package enum ModelAssembly {
    /// - Parameters:
    ///   - takenTypes: names of types that the model has besides those of its sets.
    ///   - ignoresCase: whether the database takes names of tables and columns in any letter case.
    package static func introspection(
        _ drafts: [TableDraft],
        namespace: String,
        takenTypes: [String] = [],
        ignoresCase: Bool,
        problems: [Introspection.Problem]
    ) -> Introspection {
        var drafts = drafts
        name(&drafts, takenTypes: takenTypes)
        let relations = Relations(drafts: drafts, ignoresCase: ignoresCase)
        drafts = relations.drafts
        let sets = drafts.enumerated().map { place, draft in
            var type = EntityType(
                names: draft.typeNames,
                properties: draft.properties,
                key: draft.key.compactMap(draft.place),
                uniqueKeys: draft.uniqueKeys,
                navigationProperties: relations.navigation[place]
            )
            type.description = draft.description
            return EntitySet(names: draft.names, type: type, isReadOnly: draft.isReadOnly)
        }
        return Introspection(
            model: EntityModel(namespace: namespace, sets: sets),
            problems: problems + relations.problems
        )
    }

    private static func name(_ drafts: inout [TableDraft], takenTypes: [String]) {
        var sets = WireNames()
        var types = WireNames(taken: ["Container"] + takenTypes)
        for place in drafts.indices {
            let table = drafts[place].name
            let set = sets.unique(table)
            let type = types.unique(WireNames.singular(set))
            drafts[place].names = Names(wire: set, code: WireNames.code(set, capital: false), database: table)
            drafts[place].typeNames = Names(wire: type, code: WireNames.code(type, capital: true), database: table)
        }
    }
}
