// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// Pushes single values into a sink.
package enum ComputedOutput {
    /// Pushes a value as the column at hand.
    ///
    /// - Returns: its bytes, as pages count them.
    package static func push(_ value: Value, into sink: any RowSink) -> Int {
        switch value {
        case .null:
            sink.null()
            return 4
        case .boolean(let flag):
            sink.boolean(flag)
            return 5
        case .integer(let number):
            sink.integer(number)
            return 8
        case .double(let number):
            sink.double(number)
            return 8
        case .binary(let bytes):
            unsafe bytes.withUnsafeBytes { unsafe sink.binary($0) }
            return bytes.count
        case .decimal(let number):
            return push(number.normalized.text, into: sink)
        default:
            return push(value.text ?? "", into: sink)
        }
    }

    private static func push(_ value: String, into sink: any RowSink) -> Int {
        var value = value
        return value.withUTF8 { utf8 in
            unsafe sink.text(UnsafeRawBufferPointer(utf8))
            return utf8.count
        }
    }
}
