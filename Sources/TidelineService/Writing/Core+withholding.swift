// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

extension Core {
    /// Runs a change, and names in its refusal no set that the user may not know of: one whose rows refer to this one.
    ///
    /// - Parameter set: the one whose row is changed, of which properties are named; of another one the set alone. `nil` for
    ///   changes of several.
    func withholdingNames<Result>(from set: EntitySet? = nil, _ change: () throws -> Result) throws -> Result {
        do {
            return try change()
        } catch var error as StorageError where error.code == .missingReference {
            if let set, error.set != set.names.wire { error.properties = [] }
            if let name = error.set, planner.model.unnamedSets.contains(name) {
                error.set = nil
                error.properties = []
            }
            throw error
        }
    }
}
