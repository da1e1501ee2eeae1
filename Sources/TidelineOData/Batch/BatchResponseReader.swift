// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Reads the answer to a JSON `$batch` request.
public enum BatchResponseReader {
    public static func read(_ body: [UInt8]) throws(ODataError) -> BatchResponse { BatchResponse() }
}
