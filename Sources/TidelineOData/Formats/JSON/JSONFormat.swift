// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// How an answer is written in JSON.
public struct JSONFormat: Hashable, Sendable {
    /// How much control information is in it.
    ///
    /// Source: OData JSON Format 4.01, section 3.1.
    public enum Metadata: String, Hashable, Sendable {
        case none, minimal, full
    }

    public var version: ODataVersion
    public var metadata: Metadata
    /// Whether `Edm.Int64` and `Edm.Decimal` are written as strings.
    public var ieee754Compatible: Bool

    public init(version: ODataVersion, metadata: Metadata = .minimal, ieee754Compatible: Bool = false) {
        self.version = version
        self.metadata = metadata
        self.ieee754Compatible = ieee754Compatible
    }

    /// The value of `Content-Type`: what is written.
    ///
    /// Full metadata is not written yet, such an answer has the minimal.
    public var contentType: String {
        let metadata: Metadata = metadata == .none ? .none : .minimal
        var text = "application/json;\(version == .v40 ? "odata." : "")metadata=\(metadata.rawValue)"
        if ieee754Compatible { text += ";IEEE754Compatible=true" }
        return text
    }
}
