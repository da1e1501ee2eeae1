// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
public import TidelineStorage

extension EntityModel {
    /// The model with properties that are searched, by the wire names of their sets; no others are.
    ///
    /// - Parameter byWords: whether whole words are looked for, by an index.
    public func searching(_ places: [String: [Int]], byWords: Bool = true) -> EntityModel {
        EntityModel(
            namespace: namespace,
            sets: sets.map { set in
                var set = set
                set.type.searchProperties = places[set.names.wire] ?? []
                set.type.searchesWords = byWords && !set.type.searchProperties.isEmpty
                return set
            }
        )
    }
}

extension Store {
    /// The keys of the entities that a search finds, as text; none of a set that does not exist.
    public func keys(of set: String, matching search: SearchExpression) throws -> [String] {
        guard let set = model[set: set] else { return [] }
        let plan = ReadPlan(
            model: model,
            set: set,
            filter: ExpressionChecker.condition(for: search, over: set.type),
            columns: set.type.key,
            includesETag: false
        )
        return try read { reader in
            let recorder = RowRecorder()
            _ = try reader.read(plan, into: recorder)
            return recorder.lines
        }
    }
}
