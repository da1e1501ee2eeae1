// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// What comes of an answer that is taken while it comes.
public enum TransportPiece: Hashable, Sendable {
    /// The head: once, before all else.
    case head(HTTPResponse)
    /// Some bytes of the content.
    case content([UInt8])
}
