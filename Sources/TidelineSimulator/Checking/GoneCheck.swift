// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// V11: what was deleted on the service does not come back under its key.
///
/// For sets whose keys the service makes; a key that people give may be given again, and one that the database chose for
/// another program.
struct GoneCheck: Check {
    static let number = "V11"

    private let model: EntityModel
    private let sets: [Int]
    private var there: [Int: Set<Key>] = [:]
    private var gone: [Int: Set<Key>] = [:]

    init(model: EntityModel) {
        self.model = model
        sets = model.sets.indices.filter { index in
            let type = model.sets[index].type
            return type.key.allSatisfy { type.properties[$0].generation != .none }
        }
    }

    mutating func look(at observation: Observation, _ writes: [Int: WriteRecord]) -> [String] {
        switch observation {
        case .service(let state): return returned(state)
        case .restored, .publishedAnew:
            there = [:]
            gone = [:]
            return []
        default: return []
        }
    }

    private mutating func returned(_ state: NodeState) -> [String] {
        var found: [String] = []
        for index in sets {
            let now = Set(state.sets[index].keys)
            let returned = now.intersection(gone[index] ?? [])
            let back = returned.filter { key in !(state.sets[index][key] ?? []).contains(where: OtherProgram.wrote) }
            gone[index]?.subtract(returned)
            found += back.map {
                "\(model.sets[index].names.wire) \(RowText.text($0.values)) was deleted and is there again"
            }
            gone[index, default: []].formUnion((there[index] ?? []).subtracting(now))
            there[index] = now
        }
        return found.sorted()
    }
}
