// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Writes a JSON `$batch` request.
public struct BatchRequestWriter {
    private let output = ByteWriter()
    private var isEmpty = true

    /// A writer of an empty batch.
    public init() {
        output.append("{\"requests\":[")
    }

    /// The bytes of one request object, to be kept and sent again exactly so.
    public static func encode(_ item: BatchRequest.Item) -> [UInt8] {
        let output = ByteWriter(capacity: item.body.count + 256)
        write(item, to: output)
        return output.bytes
    }

    private static func write(_ item: BatchRequest.Item, to output: ByteWriter) {
        output.append("{\"id\":")
        output.appendQuoted(item.id)
        if let group = item.atomicityGroup {
            output.append(",\"atomicityGroup\":")
            output.appendQuoted(group)
        }
        if !item.dependsOn.isEmpty {
            output.append(",\"dependsOn\":[")
            for (place, name) in item.dependsOn.enumerated() {
                if place > 0 { output.append(",") }
                output.appendQuoted(name)
            }
            output.append("]")
        }
        if let condition = item.condition {
            output.append(",\"if\":")
            output.appendQuoted(condition)
        }
        output.append(",\"method\":")
        output.appendQuoted(item.method.rawValue.lowercased())
        output.append(",\"url\":")
        output.appendQuoted(item.url)
        if !item.headers.isEmpty {
            output.append(",\"headers\":")
            BatchJSON.write(item.headers, to: output)
        }
        if !item.body.isEmpty {
            output.append(",\"body\":")
            BatchJSON.write(body: item.body, contentType: item.headers[.contentType], to: output)
        }
        output.append("}")
    }

    /// Adds a request.
    public mutating func append(_ item: BatchRequest.Item) {
        separate()
        Self.write(item, to: output)
    }

    /// Adds request objects that were encoded before, several with commas between them.
    public mutating func append(encoded: [UInt8]) {
        separate()
        output.append(encoded)
    }

    private mutating func separate() {
        if !isEmpty { output.append(",") }
        isEmpty = false
    }

    /// The bytes of the body so far, for a limit.
    public var count: Int { output.count + 2 }

    /// The body of the batch.
    public func finish() -> [UInt8] { output.bytes + Array("]}".utf8) }
}
