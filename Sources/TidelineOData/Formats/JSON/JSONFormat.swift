// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// How the JSON of an answer is written.
public struct JSONFormat: Hashable, Sendable {
    /// How much control information is in it.
    ///
    /// Source: OData JSON Format 4.01, section 3.1.
    public enum Metadata: String, Hashable, Sendable {
        case none, minimal, full
    }

    /// Which members an answer leaves out; never those of the key.
    ///
    /// Source: OData Protocol 4.01, section 8.2.8.6.
    public enum Omission: Hashable, Sendable {
        case nulls
        /// Nulls where null is what the property has when nothing is given: for the answer to an insert.
        case nullDefaults
        /// What equals the default that the metadata tells, or is null where it tells none.
        case defaults
    }

    public var version: ODataVersion
    public var metadata: Metadata
    /// Whether `Edm.Int64` and `Edm.Decimal` are written as strings.
    public var ieee754Compatible: Bool
    /// Whether the client lets decimals have an exponent; none is written in any case.
    public var exponentialDecimals = false
    /// Whether the order of the members is promised: what is written always keeps it.
    public var isStreaming = false
    /// Whether `charset=utf-8` was asked for.
    public var namesCharset = false
    /// Which members are left out: `Prefer: omit-values`.
    public var omits: Omission?
    /// Which instance annotations are written, or `nil` for all there are: `Prefer: include-annotations`.
    public var annotations: AnnotationChoice?
    /// Whether an entity that the answer holds already is written as a reference: `Prefer: allow-entityreferences`.
    public var refersToEntities = false

    public init(version: ODataVersion, metadata: Metadata = .minimal, ieee754Compatible: Bool = false) {
        self.version = version
        self.metadata = metadata
        self.ieee754Compatible = ieee754Compatible
    }

    /// The value of `Content-Type`: what is written.
    ///
    /// Source: OData JSON Format 4.01, section 3.
    public var contentType: String {
        let prefix = version == .v40 ? "odata." : ""
        var text = "application/json;\(prefix)metadata=\(metadata.rawValue)"
        if isStreaming { text += ";\(prefix)streaming=true" }
        if ieee754Compatible { text += ";IEEE754Compatible=true" }
        if exponentialDecimals { text += ";ExponentialDecimals=true" }
        if namesCharset { text += ";charset=utf-8" }
        return text
    }
}
