// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// Collects pushed rows as values of known types; what is expanded is not for it.
package final class ValueCollector: RowSink {
    private let types: [PrimitiveType]
    private var row: [Value] = []
    private var collected: [[Value]] = []
    private var unreadable: LocalStoreError?
    /// How many expansions are being passed over, each inside the one before.
    private var depth = 0

    /// - Parameter types: the types of the columns, in their order.
    package init(_ types: [PrimitiveType]) { self.types = types }

    /// The rows received so far.
    ///
    /// - Throws: ``LocalStoreError/Code/corrupt`` when a value had another form than its type.
    package func rows() throws -> [[Value]] {
        if let unreadable { throw unreadable }
        return collected
    }

    package func beginRow() { if depth == 0 { row = [] } }
    package func null() { append { _ in .null } }
    package func boolean(_ value: Bool) { append { _ in .boolean(value) } }
    package func integer(_ value: Int64) { append { _ in .integer(value) } }
    package func double(_ value: Double) { append { _ in .double(value) } }
    package func binary(_ bytes: UnsafeRawBufferPointer) { append { _ in unsafe .binary([UInt8](bytes)) } }

    package func text(_ utf8: UnsafeRawBufferPointer) {
        append { type in
            type == .string ? unsafe .string(String(decoding: utf8, as: UTF8.self)) : unsafe Value(utf8: utf8, as: type)
        }
    }

    package func beginExpansion(_ index: Int) { depth += 1 }
    package func endExpansion(_ index: Int, count: Int?) { depth -= 1 }
    package func endRow(etag: ETag?) { if depth == 0 { collected.append(row) } }

    private func append(_ value: (PrimitiveType) -> Value?) {
        guard depth == 0 else { return }
        let type = row.count < types.count ? types[row.count] : .string
        let read = value(type)
        if read == nil {
            unreadable = LocalStoreError(.corrupt, message: "A value of the result is no \(type.rawValue).")
        }
        row.append(read ?? .null)
    }
}
