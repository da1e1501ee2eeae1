// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Why a server did not start.
public struct ServerError: Error, Hashable, Sendable {
    /// What kind of error it is.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable {
        /// Another process listens on the port.
        case portInUse
        /// The address is not one of this machine, or may not be listened on.
        case address
        /// The certificate or its key cannot be used.
        case certificate
        /// The data folder or a file of it cannot be read or written.
        case data
    }

    public var code: Code
    /// One sentence: what is wrong.
    public var message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
