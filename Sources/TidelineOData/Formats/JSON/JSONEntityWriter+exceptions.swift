// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Values that are none of their types: null, and beside it what there is.
///
///     "Quantity":null,"Quantity@Core.ValueException":{"value":"many"}
///
/// One such value takes neither the other values of its row nor the other rows away from who reads them.
/// Source: OData Vocabularies 4.0, Org.OData.Core.V1, `ValueException`.
extension JSONEntityWriter {
    public func exception(_ held: String?) {
        guard mode != .skipped else { return }
        let place = column
        let property = frame.shape.columns[place].shape
        if mode == .captured { capture.exceptions[place] = .some(held) }
        note(exceptionOf: property)
        null()
        if mode == .direct { write(exception: held, of: property.name) { output.append(UInt8(ascii: ",")) } }
    }

    /// Writes null, or no items, for the text of a column that turned out to be none of its type.
    ///
    /// - Parameter place: the place of the column in the row.
    func write(unfit utf8: UnsafeRawBufferPointer, _ place: Int, to target: ByteWriter) {
        let column = frame.shape.columns[place]
        let held = unsafe ExceptionText.text(utf8)
        note(exceptionOf: column.shape)
        target.append(column.form == .jsonArray ? "[]" : "null")
        if mode == .captured {
            capture.exceptions[place] = .some(held)
        } else {
            write(exception: held, of: column.shape.name) { target.append(UInt8(ascii: ",")) }
        }
    }

    private func note(exceptionOf column: RowShape.Column) {
        exceptions.insert("\(frame.shape.source.set).\(column.name)")
    }

    /// Writes the annotation of a property, after what separates it from the member before it.
    func write(exception held: String?, of name: String, _ separate: () -> Void) {
        guard format.annotations?.includes(member: "Core.ValueException") != false else { return }
        separate()
        output.appendQuoted(name + "@Core.ValueException")
        output.append(text: ":{")
        if let held {
            output.append(text: "\"value\":")
            output.appendQuoted(held)
        }
        output.append(UInt8(ascii: "}"))
    }
}
