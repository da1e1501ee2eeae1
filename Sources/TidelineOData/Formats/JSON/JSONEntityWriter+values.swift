// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The values of a row, in the order of its columns.
extension JSONEntityWriter {
    /// Writes the lead of the next column and says how its value is written.
    @inline(__always)
    private func lead() -> CompiledShape.Form {
        let column = column
        unsafe state.pointee.level.column = column &+ 1
        return unsafe state.pointee.level.leads.append(column, to: output)
    }

    public func null() {
        guard mode == .direct else { return gather(.null) { $0.append("null") } }
        if lead() == .jsonArray { output.append("[]") } else { output.append("null") }
    }

    public func boolean(_ value: Bool) {
        guard mode == .direct else { return gather(.boolean(value)) { $0.append(value ? "true" : "false") } }
        _ = lead()
        output.append(value ? "true" : "false")
    }

    public func integer(_ value: Int64) {
        guard mode == .direct else {
            return gather(.integer(value)) {
                self.write(integer: value, self.frame.shape.columns[self.column], to: $0)
            }
        }
        let form = lead()
        if form == .bare {
            output.append(integer: value)
        } else {
            write(integer: value, frame.shape.columns[column - 1], to: output)
        }
    }

    public func double(_ value: Double) {
        guard mode == .direct else { return gather(.double(value)) { $0.append(double: value) } }
        _ = lead()
        output.append(double: value)
    }

    public func text(_ utf8: UnsafeRawBufferPointer) {
        guard mode == .direct else { return unsafe gather(text: utf8) }
        switch lead() {
        case .bare: unsafe output.append(utf8)
        case .escaped: unsafe output.appendQuoted(utf8)
        case .quoted:
            output.append(UInt8(ascii: "\""))
            unsafe output.append(utf8)
            output.append(UInt8(ascii: "\""))
        default: unsafe write(text: utf8, column - 1, to: output)
        }
    }

    public func binary(_ bytes: UnsafeRawBufferPointer) {
        guard mode == .direct else {
            let copy = unsafe Array(bytes)
            return gather(.binary(copy)) { output in
                output.append(value: .binary(copy), type: .binary, format: self.format)
            }
        }
        _ = lead()
        output.append(UInt8(ascii: "\""))
        unsafe output.append(base64URL: bytes)
        output.append(UInt8(ascii: "\""))
    }

    /// Keeps a value of a row that is gathered.
    private func gather(_ value: Value, _ write: (ByteWriter) -> Void) {
        guard mode == .captured else { return }
        write(capture.output)
        capture.end(value, frame.shape.columns[column].shape, isDiscriminator: isDiscriminator)
        column += 1
    }

    private func gather(text utf8: UnsafeRawBufferPointer) {
        guard mode == .captured else { return }
        let place = self.column
        let column = frame.shape.columns[place]
        if let index = column.shape.transform, transforms.indices.contains(index) {
            if let result = transforms[index](unsafe String(decoding: utf8, as: UTF8.self), format) {
                capture.output.append(text: result.text)
                if let count = result.count { capture.counts[place] = count }
            } else {
                unsafe write(unfit: utf8, place, to: capture.output)
            }
        } else {
            unsafe write(text: utf8, place, to: capture.output)
        }
        var value = Value.boolean(true)
        if column.shape.keyPlace != nil || isDiscriminator {
            let text = unsafe String(decoding: utf8, as: UTF8.self)
            value =
                column.shape.type == .string ? .string(text) : Value(text: text, as: column.shape.type) ?? .string(text)
        }
        capture.end(value, column.shape, isDiscriminator: isDiscriminator)
        self.column += 1
    }

    private var isDiscriminator: Bool { frame.shape.source.derivation?.column == column }
}
