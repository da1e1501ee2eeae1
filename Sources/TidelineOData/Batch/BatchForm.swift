// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The format of a `$batch` request, in which its answer is written too.
public enum BatchForm: Hashable, Sendable {
    /// `application/json`.
    case json
    /// `multipart/mixed`.
    case multipart
}
