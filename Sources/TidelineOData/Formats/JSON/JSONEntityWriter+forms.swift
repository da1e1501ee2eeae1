// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Values whose JSON is not that of the pushed value itself.
extension JSONEntityWriter {
    func write(integer value: Int64, _ column: CompiledShape.Column, to target: ByteWriter) {
        switch column.form {
        case .bare: target.append(integer: value)
        case .enumeration:
            guard case .enumeration(let type) = column.shape.form else { return target.append(integer: value) }
            target.appendQuoted(type.text(of: value))
        default:
            target.append(UInt8(ascii: "\""))
            target.append(integer: value)
            target.append(UInt8(ascii: "\""))
        }
    }

    func write(text utf8: UnsafeRawBufferPointer, _ column: CompiledShape.Column, to target: ByteWriter) {
        switch column.form {
        case .bare: unsafe target.append(utf8)
        case .escaped, .enumeration: unsafe target.appendQuoted(utf8)
        case .quoted:
            target.append(UInt8(ascii: "\""))
            unsafe target.append(utf8)
            target.append(UInt8(ascii: "\""))
        case .json, .jsonArray: unsafe embed(utf8, column, to: target)
        case .spatial: unsafe shape(utf8, column, to: target)
        }
    }

    /// JSON of a column, looked at once: what is none must not break the answer around it.
    private func embed(_ utf8: UnsafeRawBufferPointer, _ column: CompiledShape.Column, to target: ByteWriter) {
        let bytes = unsafe Array(utf8)
        do throws(ODataError) {
            if let annotations = format.annotations, bytes.contains(UInt8(ascii: "@")) {
                target.append(frame.shape.names.kept(try JSONTree.read(bytes), annotations).bytes)
                return
            }
            try JSONReader.read(bytes[...]) { reader throws(ODataError) in try reader.skipValue() }
            target.append(bytes)
        } catch {
            fail(column)
            target.append("null")
        }
    }

    private func shape(_ utf8: UnsafeRawBufferPointer, _ column: CompiledShape.Column, to target: ByteWriter) {
        // A column may hold GeoJSON itself.
        if unsafe utf8.first == UInt8(ascii: "{") { return unsafe embed(utf8, column, to: target) }
        guard var value = unsafe Geography(utf8: utf8) else {
            fail(column)
            target.append("null")
            return
        }
        value.isFlat = column.shape.type.isGeometry
        target.append(geography: value)
    }

    func fail(_ column: CompiledShape.Column) {
        failure =
            failure
            ?? ODataError(
                code: "UnreadableValue",
                message: "A stored value of \(column.shape.name) is not what its type says.",
                target: column.shape.name
            )
    }
}
