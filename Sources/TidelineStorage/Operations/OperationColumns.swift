// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// Which columns of an operation's SQL give its result.
package struct OperationColumns: Hashable, Sendable {
    /// What the columns of the result hold, as ``TidelineModel/EntityModel/resultColumns(of:)``.
    package let properties: [Property]
    /// For each of them the column of the SQL that gives it; `nil` for the number of rows affected.
    package let places: [Int?]
    /// How many columns the SQL has.
    package let count: Int

    /// Finds the columns by their names: those on the wire, for the key of an entity also those of its table.
    ///
    /// Letter case does not count, so that PostgreSQL's folding of names does no harm. A single value is the only column.
    /// - Throws: ``StorageError`` `unsupported` that names the operation.
    package init(_ names: [String], of operation: EdmOperation, in model: EntityModel) throws(StorageError) {
        count = names.count
        guard let type = operation.returnType else {
            properties = []
            places = []
            return
        }
        properties = model.resultColumns(of: type)
        var places: [Int?] = []
        var isEntity = false
        switch type.element {
        case .primitive, .enumeration:
            guard names.count == 1 else {
                throw operation.unusable("its SQL gives \(names.count) columns, and it returns one value")
            }
            self.places = [0]
            return
        case .entity: isEntity = true
        case .complex: break
        }
        let folded = names.map { $0.lowercased() }
        for property in properties {
            let wire = property.names.wire.lowercased()
            let column = property.names.database.lowercased()
            let place = folded.firstIndex(of: wire) ?? (isEntity ? folded.firstIndex(of: column) : nil)
            if place == nil, property.names.wire != operation.rowsAffectedProperty {
                let what = isEntity ? "the key column \(property.names.database)" : "a column \(property.names.wire)"
                throw operation.unusable("its SQL does not give \(what)")
            }
            places.append(place)
        }
        self.places = places
    }
}

extension EdmOperation {
    /// The error for an operation that a store cannot run.
    ///
    /// - Parameter reason: a clause without a full stop.
    package func unusable(_ reason: String) -> StorageError {
        StorageError(.unsupported, message: "The \(kind.rawValue) \(names.wire) cannot be used: \(reason).")
    }
}
