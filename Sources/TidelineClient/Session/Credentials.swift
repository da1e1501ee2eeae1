// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A name and a password, held no longer than a sign-in takes.
public struct Credentials: Sendable {
    public var user: String
    public var password: String

    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}
