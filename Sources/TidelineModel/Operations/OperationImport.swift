// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A name in the entity container under which an unbound operation is called.
///
/// The entity set of the import is that of the operation's return type.
/// Source: OData CSDL 4.01, sections 13.5 and 13.6.
public struct OperationImport: Hashable, Sendable {
    public var name: String
    /// Whether the service document names it; only for functions without parameters.
    public var isInServiceDocument: Bool

    public init(_ name: String, isInServiceDocument: Bool = false) {
        self.name = name
        self.isInServiceDocument = isInServiceDocument
    }
}
