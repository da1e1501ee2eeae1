// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What stands before the values of one shape's rows, and how the values are written, in memory of its own.
///
/// Arrays would be retained and released for every value that is written, a tenth of the time of a page.
@safe
final class LeadTable {
    fileprivate struct Entry {
        var start: Int
        var end: Int
        var form: CompiledShape.Form
    }

    /// The table to look at, for who keeps its owner.
    @unsafe
    struct View {
        fileprivate let bytes: UnsafePointer<UInt8>
        fileprivate let entries: UnsafeBufferPointer<Entry>
        /// `"@odata.etag":"W/\"AAAAAAAAAAAAAAAAAAAAAA\""`, with a hole for its digits; empty where rows have none.
        let etag: UnsafeRawBufferPointer
        /// Where the hole begins in ``etag``.
        let hole: Int

        /// Appends the lead of a column and says how its value is written.
        @inline(__always)
        func append(_ column: Int, to output: ByteWriter) -> CompiledShape.Form {
            precondition(unsafe column < entries.count, "A row has no more values than its shape has columns.")
            let entry = unsafe entries[column]
            unsafe output.append(UnsafeRawBufferPointer(start: bytes + entry.start, count: entry.end &- entry.start))
            return entry.form
        }
    }

    let view: View
    private let bytes: UnsafeMutablePointer<UInt8>
    private let entries: UnsafeMutableBufferPointer<Entry>

    /// - Parameters:
    ///   - columns: the lead of each column, and how its value is written.
    ///   - etag: what stands before the digits of an ETag and after them, where rows have one.
    init(_ columns: [(lead: [UInt8], form: CompiledShape.Form)], etag: (lead: [UInt8], tail: [UInt8])?) {
        var run: [UInt8] = []
        var hole = 0
        if let etag {
            hole = etag.lead.count
            run = etag.lead + [UInt8](repeating: UInt8(ascii: "A"), count: 22) + etag.tail
        }
        let etagCount = run.count
        unsafe entries = .allocate(capacity: columns.count)
        for (place, column) in columns.enumerated() {
            let entry = Entry(start: run.count, end: run.count + column.lead.count, form: column.form)
            unsafe entries.initializeElement(at: place, to: entry)
            run += column.lead
        }
        unsafe bytes = .allocate(capacity: run.count)
        for (place, byte) in run.enumerated() { unsafe (bytes + place).initialize(to: byte) }
        unsafe view = View(
            bytes: UnsafePointer(bytes),
            entries: UnsafeBufferPointer(entries),
            etag: UnsafeRawBufferPointer(start: bytes, count: etagCount),
            hole: hole
        )
    }

    deinit {
        unsafe bytes.deallocate()
        unsafe entries.deallocate()
    }
}
