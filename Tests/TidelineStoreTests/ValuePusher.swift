// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Pushes values into a sink in their canonical forms.
struct ValuePusher {
    let sink: any RowSink

    init(_ sink: any RowSink) { self.sink = sink }

    func push(_ value: Value) {
        switch value {
        case .null: sink.null()
        case .boolean(let value): sink.boolean(value)
        case .integer(let value): sink.integer(value)
        case .double(let value): sink.double(value)
        case .binary(let value): unsafe value.withUnsafeBytes { unsafe sink.binary($0) }
        default:
            var bytes: [UInt8] = []
            value.append(to: &bytes)
            unsafe bytes.withUnsafeBytes { unsafe sink.text($0) }
        }
    }
}
