// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// The beginning and the end of rows.
extension JSONEntityWriter {
    /// What happens to the values that come.
    var mode: Mode {
        @inline(__always) get { unsafe state.pointee.mode }
        set { unsafe state.pointee.mode = newValue }
    }

    /// The column whose value comes next.
    var column: Int {
        @inline(__always) get { unsafe state.pointee.level.column }
        set { unsafe state.pointee.level.column = newValue }
    }

    /// How many rows stand in the array or place of the frame.
    var levelRows: Int { unsafe state.pointee.level.rows }

    /// The outermost rows and removed entities that were written.
    var items: Int {
        get { unsafe state.pointee.items }
        set { unsafe state.pointee.items = newValue }
    }

    public func beginRow() {
        guard mode == .direct, unsafe state.pointee.level.rows < state.pointee.level.limit else {
            return beginOtherRow()
        }
        if unsafe state.pointee.isOutermost { unsafe state.pointee.rows &+= 1 }
        unsafe state.pointee.level.column = 0
        unsafe state.pointee.level.hole = -1
        openRow()
        if unsafe !state.pointee.level.leads.etag.isEmpty { openETag() }
    }

    /// Begins a row that is gathered or passed over.
    private func beginOtherRow() {
        if mode == .skipped {
            skipped += 1
            return
        }
        if unsafe state.pointee.level.rows >= state.pointee.level.limit {
            frame.isCut = true
            mode = .skipped
            skipped = 1
            return
        }
        if unsafe state.pointee.isOutermost { unsafe state.pointee.rows += 1 }
        unsafe state.pointee.level.column = 0
        unsafe state.pointee.level.hole = -1
        frame.isPending = true
        frame.isReferred = false
        capture.begin(keyCount: frame.shape.source.key.count)
    }

    /// Writes the brace of a row, after a comma where rows or control information stand before it.
    func openRow() {
        if unsafe state.pointee.isOutermost {
            if unsafe state.pointee.isEntity {
                if pendingComma { output.append(UInt8(ascii: ",")) }
                entityStart = output.count
            } else {
                if unsafe state.pointee.items > 0 { output.append(UInt8(ascii: ",")) }
                output.append(UInt8(ascii: "{"))
            }
            unsafe state.pointee.items &+= 1
            if unsafe state.pointee.hasRowLead { output.append(rowLead) }
        } else {
            if levelRows > 0 { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "{"))
        }
        unsafe state.pointee.level.rows &+= 1
    }

    /// Writes the ETag with a hole for its digits.
    func openETag() {
        unsafe state.pointee.level.hole = output.count &+ state.pointee.level.leads.hole
        unsafe output.append(state.pointee.level.leads.etag)
    }

    public func endRow(etag: ETag?) {
        guard mode == .direct else { return endOtherRow(etag) }
        closeRow(etag)
    }

    /// Ends a row that was gathered or passed over.
    private func endOtherRow(_ etag: ETag?) {
        if mode == .skipped {
            leaveSkipped()
            return
        }
        if frame.isPending { writeCaptured() }
        closeRow(etag)
    }

    /// Writes the digits of the ETag and the brace.
    private func closeRow(_ etag: ETag?) {
        let hole = unsafe state.pointee.level.hole
        if hole >= 0, let etag { unsafe output.replace(at: hole) { unsafe etag.write(to: $0) } }
        guard unsafe state.pointee.isOutermost else { return output.append(UInt8(ascii: "}")) }
        if unsafe !state.pointee.isEntity {
            output.append(UInt8(ascii: "}"))
        } else if pendingComma, output.count == entityStart {
            // Nothing came after the comma.
            output.truncate(to: entityStart - 1)
        }
        if output.count >= byteLimit { unsafe state.pointee.level.limit = state.pointee.level.rows }
        if let onFull, output.count >= drainThreshold { onFull(output) }
    }
}
