// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Pushes values into a sink as every store does, and counts their bytes.
struct RowOutput {
    let sink: any RowSink
    /// The bytes so far, before formatting.
    private(set) var bytes = 0

    init(_ sink: any RowSink) { self.sink = sink }

    mutating func push(_ value: Value) {
        switch value {
        case .null:
            bytes += 4
            sink.null()
        case .boolean(let value):
            bytes += 5
            sink.boolean(value)
        case .integer(let value):
            bytes += 8
            sink.integer(value)
        case .double(let value):
            bytes += 8
            sink.double(value)
        case .binary(let value):
            bytes += value.count
            unsafe value.withUnsafeBytes { unsafe sink.binary($0) }
        default:
            var text: [UInt8] = []
            value.appendNormalized(to: &text)
            bytes += text.count
            unsafe text.withUnsafeBytes { unsafe sink.text($0) }
        }
    }
}

extension ETagHasher {
    /// The version of an entity.
    func etag(of values: [Value]) -> ETag {
        var hasher = self
        hasher.begin()
        for (place, value) in values.enumerated() {
            switch value {
            case .null: break
            case .boolean(let value): hasher.boolean(value, at: place)
            case .integer(let value): hasher.integer(value, at: place)
            case .double(let value): hasher.double(value, at: place)
            case .binary(let value): unsafe value.withUnsafeBytes { unsafe hasher.binary($0, at: place) }
            default:
                var text: [UInt8] = []
                value.appendNormalized(to: &text)
                unsafe text.withUnsafeBytes { unsafe hasher.text($0, at: place) }
            }
        }
        return hasher.finish()
    }
}

extension Value {
    /// Appends the canonical text; a decimal has no zero at the end of its fraction.
    fileprivate func appendNormalized(to bytes: inout [UInt8]) {
        if case .decimal(let number) = self {
            number.normalized.append(to: &bytes)
        } else {
            append(to: &bytes)
        }
    }
}
