// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Why a store cannot be attached to a service: what of the two models does not fit.
///
/// Nothing was changed, here or there.
public struct ModelMismatch: Error, Hashable, Sendable {
    /// What differs, as sentences.
    public var differences: [String]

    public init(differences: [String]) { self.differences = differences }
}

extension ModelMismatch: CustomStringConvertible {
    public var description: String {
        "The store and the service do not fit together:\n" + differences.map { "  \($0)" }.joined(separator: "\n")
    }
}
