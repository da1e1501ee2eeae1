// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

extension RowSink {
    /// Pushes a value in the way that a store pushes a column.
    package func push(_ value: Value) {
        switch value {
        case .null: null()
        case .boolean(let value): boolean(value)
        case .integer(let value): integer(value)
        case .double(let value): double(value)
        case .binary(let bytes): unsafe bytes.withUnsafeBytes { unsafe binary($0) }
        case .string(let text): push(text: text)
        default: push(text: value.text ?? "")
        }
    }

    private func push(text: String) {
        var text = text
        text.withUTF8 { unsafe self.text(UnsafeRawBufferPointer($0)) }
    }
}
