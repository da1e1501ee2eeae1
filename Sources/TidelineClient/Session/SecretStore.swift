// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Where a device keeps what nobody else may read: a keychain, or files of their owner alone.
///
/// What is kept of a sign-in is a token that the service can revoke, never a password; see ``TokenStorage``.
public protocol SecretStore: Sendable {
    /// The secret of that name, or `nil`.
    func secret(_ name: String) throws -> [UInt8]?
    /// Keeps a secret in the place of the one before, at once or not at all.
    ///
    /// - Parameter name: ASCII letters, digits and `-`.
    func keep(_ secret: [UInt8], as name: String) throws
    /// Forgets a secret; nothing happens when there is none.
    func remove(_ name: String) throws
}
