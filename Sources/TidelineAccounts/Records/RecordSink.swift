// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Gathers the rows of a read of the control store: strings, integers, Booleans and binary values.
final class RecordSink: RowSink {
    private(set) var rows: [[Value]] = []
    private var row: [Value] = []

    func beginRow() { row = [] }
    func null() { row.append(.null) }
    func boolean(_ value: Bool) { row.append(.boolean(value)) }
    func integer(_ value: Int64) { row.append(.integer(value)) }
    func double(_ value: Double) { row.append(.double(value)) }
    func text(_ utf8: UnsafeRawBufferPointer) { row.append(.string(unsafe String(decoding: utf8, as: UTF8.self))) }
    func binary(_ bytes: UnsafeRawBufferPointer) { row.append(.binary(unsafe Array(bytes))) }
    func beginExpansion(_ index: Int) {}
    func endExpansion(_ index: Int, count: Int?) {}
    func endRow(etag: ETag?) { rows.append(row) }
}
