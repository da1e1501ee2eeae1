// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension Domain {
    /// Makes sure that the domain's database can have the bodies of its operations.
    ///
    /// - Parameter list: the operations in the file.
    func checkBodies(_ list: YAMLField) throws(DomainError) {
        for (operation, item) in zip(model.operations, list.isNull ? [] : try list.items()) {
            let name = operation.names.wire
            switch (operation.body, database.kind) {
            case (.sql(nil, _)?, .sqlite), (.sql(_, nil)?, .postgres):
                throw item.error(.value, "The operation \(name) has no SQL for \(database.kind.rawValue).")
            case (.routine?, .sqlite):
                throw item.error(.value, "The operation \(name) is a routine of the database, and SQLite has none.")
            default: break
            }
        }
    }
}
