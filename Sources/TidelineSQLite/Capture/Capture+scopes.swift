// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension Capture {
    /// Gives tables other scope columns.
    ///
    /// Nothing is lost meanwhile: the write lock is held.
    func setScopes(_ scopes: [String: [String]]) throws {
        var isChanged = false
        for var table in try tables() {
            let wanted = scopes[table.name] ?? []
            guard Set(wanted) != Set(table.scopes) else { continue }
            table.scopes = wanted
            try remember(table)
            try createTriggers(table)
            isChanged = true
        }
        if isChanged { try renewGuard() }
    }
}
