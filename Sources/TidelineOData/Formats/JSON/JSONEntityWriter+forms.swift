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

    /// - Parameter place: the place of the column in the row.
    func write(text utf8: UnsafeRawBufferPointer, _ place: Int, to target: ByteWriter) {
        let column = frame.shape.columns[place]
        switch column.form {
        case .bare: unsafe target.append(utf8)
        case .escaped, .enumeration: unsafe target.appendQuoted(utf8)
        case .quoted:
            target.append(UInt8(ascii: "\""))
            unsafe target.append(utf8)
            target.append(UInt8(ascii: "\""))
        case .json, .jsonArray: unsafe embed(utf8, place, to: target)
        case .spatial: unsafe shape(utf8, place, to: target)
        }
    }

    /// JSON of a column, looked at once: what is none must not break the answer around it.
    private func embed(_ utf8: UnsafeRawBufferPointer, _ place: Int, to target: ByteWriter) {
        let bytes = unsafe Array(utf8)
        do throws(ODataError) {
            if let annotations = format.annotations, bytes.contains(UInt8(ascii: "@")) {
                target.append(frame.shape.names.kept(try JSONTree.read(bytes), annotations).bytes)
                return
            }
            try JSONReader.read(bytes[...]) { reader throws(ODataError) in try reader.skipValue() }
            target.append(bytes)
        } catch {
            unsafe write(unfit: utf8, place, to: target)
        }
    }

    private func shape(_ utf8: UnsafeRawBufferPointer, _ place: Int, to target: ByteWriter) {
        // A column may hold GeoJSON itself.
        if unsafe utf8.first == UInt8(ascii: "{") { return unsafe embed(utf8, place, to: target) }
        guard var value = unsafe Geography(utf8: utf8) else {
            return unsafe write(unfit: utf8, place, to: target)
        }
        value.isFlat = frame.shape.columns[place].shape.type.isGeometry
        target.append(geography: value)
    }
}
