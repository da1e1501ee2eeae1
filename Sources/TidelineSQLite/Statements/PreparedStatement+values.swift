// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDBSQLite
import TidelineStorage

extension PreparedStatement {
    /// Binds values to the parameters after the first `count`.
    func bind(_ values: [SQLValue], after count: Int) {
        for (place, value) in values.enumerated() {
            let index = Int32(count + place + 1)
            switch value {
            case .null: bindNull(index)
            case .integer(let value): bind(value, index)
            case .real(let value): bind(value, index)
            case .text(let value), .typed(let value, _): bind(value, index)
            case .blob(let value): bind(value, index)
            }
        }
    }

    /// Binds the value that another statement has in a column, as it is.
    func bind(column: Int32, of source: PreparedStatement, _ index: Int32) {
        unsafe sqlite3_bind_value(handle, index, sqlite3_column_value(source.handle, column))
    }

    /// The value of a column.
    func stored(_ column: Int32) -> SQLValue {
        switch storageClass(column) {
        case .null: .null
        case .integer: .integer(integer(column))
        case .real: .real(real(column))
        case .text: .text(string(column) ?? "")
        case .blob: .blob(bytes(column) ?? [])
        }
    }
}
