// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The leads and forms of the columns of one shape, in memory of its own.
///
/// Arrays would be retained and released for every value that is written, a tenth of the time of a page.
@safe
final class LeadTable {
    private struct Entry {
        var start: Int
        var end: Int
        var form: CompiledShape.Form
    }

    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private let entries: UnsafeMutableBufferPointer<Entry>

    init(_ columns: [(lead: [UInt8], form: CompiledShape.Form)]) {
        unsafe bytes = .allocate(capacity: columns.reduce(0) { $0 + $1.lead.count })
        unsafe entries = .allocate(capacity: columns.count)
        var start = 0
        for (place, column) in columns.enumerated() {
            let entry = Entry(start: start, end: start + column.lead.count, form: column.form)
            unsafe entries.initializeElement(at: place, to: entry)
            for byte in column.lead {
                unsafe bytes.initializeElement(at: start, to: byte)
                start += 1
            }
        }
    }

    deinit {
        unsafe bytes.deallocate()
        unsafe entries.deallocate()
    }

    /// Appends the lead of a column and says how its value is written.
    @inline(__always)
    func append(_ column: Int, to output: ByteWriter) -> CompiledShape.Form {
        precondition(unsafe column < entries.count, "A row has no more values than its shape has columns.")
        let entry = unsafe entries[column]
        let lead = unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[entry.start..<entry.end])
        unsafe output.append(lead)
        return entry.form
    }
}
