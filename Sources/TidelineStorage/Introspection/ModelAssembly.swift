// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// Makes a model of drafts of tables, by the rules that every store shares.
///
///     names of sets and types ─► guesses ─► unique keys ─► navigation properties
package enum ModelAssembly {
    /// - Parameters:
    ///   - enumerations: the enumeration types of the database.
    ///   - complexTypes: its composite types.
    ///   - ignoresCase: whether the database takes names of tables and columns in any letter case.
    ///   - guesses: what is decided although it is doubtful.
    package static func introspection(
        _ drafts: [TableDraft],
        namespace: String,
        enumerations: [EnumerationType] = [],
        complexTypes: [ComplexType] = [],
        ignoresCase: Bool,
        guesses: Set<Guess> = [],
        problems: [Introspection.Problem]
    ) -> Introspection {
        var drafts = drafts
        let types = name(&drafts, takenTypes: enumerations.map(\.names.wire) + complexTypes.map(\.names.wire))
        var guessing = ModelGuesses(drafts: drafts, types: types, wanted: guesses)
        guessing.run()
        let relations = Relations(drafts: guessing.drafts, ignoresCase: ignoresCase)
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
            type.complexProperties = draft.complexProperties
            guessing.finish(&type, of: draft)
            return EntitySet(names: draft.names, type: type, isReadOnly: draft.isReadOnly)
        }
        var model = EntityModel(namespace: namespace, sets: sets)
        model.enumerations = enumerations + guessing.enumerations
        model.complexTypes = complexTypes + guessing.complexTypes
        model.singletons = guessing.singletons(of: sets)
        return Introspection(model: model, problems: problems + relations.problems + guessing.problems)
    }

    /// - Returns: the names of types that are taken now.
    private static func name(_ drafts: inout [TableDraft], takenTypes: [String]) -> WireNames {
        var sets = WireNames()
        var types = WireNames(taken: ["Container"] + takenTypes)
        for place in drafts.indices {
            let table = drafts[place].name
            let set = sets.unique(DeviceNames.isKept(set: table) ? "_" + table : table)
            let type = types.unique(WireNames.singular(set))
            drafts[place].names = Names(wire: set, code: WireNames.code(set, capital: false), database: table)
            drafts[place].typeNames = Names(wire: type, code: WireNames.code(type, capital: true), database: table)
        }
        return types
    }
}
