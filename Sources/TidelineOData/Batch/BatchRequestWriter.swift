// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Writes a JSON `$batch` request.
public struct BatchRequestWriter {
    private let output = ByteWriter()
    private var count = 0

    public init() {}

    /// The bytes of one request object, to be kept and sent again exactly so.
    public static func encode(_ item: BatchRequest.Item) -> [UInt8] { [] }

    /// Adds a request.
    public mutating func append(_ item: BatchRequest.Item) {}

    /// Adds request objects that were encoded before, several with commas between them.
    public mutating func append(encoded: [UInt8]) {}

    /// The body of the batch.
    public func finish() -> [UInt8] { [] }
}
