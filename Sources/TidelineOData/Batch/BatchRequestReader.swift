// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Reads and checks the body of a `$batch` request.
public enum BatchRequestReader {
    /// - Parameters:
    ///   - contentType: the request's `Content-Type`; multipart is refused.
    ///   - limit: the most requests.
    public static func read(_ body: [UInt8], contentType: String?, limit: Int = 10_000) throws(ODataError) -> BatchRequest {
        BatchRequest()
    }
}
