// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What the server has of a row, as far as this device was told.
enum ServerRow {
    case row(StoredRow)
    /// There is none.
    case gone
    /// It left what the user may see: nobody knows whether it is there.
    case outOfSight

    init(_ row: StoredRow?) {
        self = if let row { .row(row) } else { .gone }
    }

    /// As the store keeps it beside changes: a row that is gone has neither ETag nor record, one that is out of sight has an
    /// empty ETag and no record.
    init(etag: String?, record: [UInt8]?, of set: SetLayout) throws {
        guard let record else {
            self = etag == nil ? .gone : .outOfSight
            return
        }
        let values = try unsafe record.withUnsafeBytes { raw in
            var reader = unsafe PackedReader(raw)
            return try set.columns.map { try $0.value(reader.next()) }
        }
        self = .row(StoredRow(values: values, etag: etag))
    }

    /// The row, where the server has one that can be seen.
    var row: StoredRow? { if case .row(let row) = self { row } else { nil } }

    /// The ETag to keep.
    var etag: String? {
        switch self {
        case .row(let row): row.etag
        case .gone: nil
        case .outOfSight: ""
        }
    }

    func map(_ body: (StoredRow) throws -> StoredRow) rethrows -> ServerRow {
        if case .row(let row) = self { .row(try body(row)) } else { self }
    }
}
