// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Tideline

/// The signed-in user: the service shows everybody their own row alone.
@Entity("Users")
public struct User: Hashable, Sendable {
    /// What bookmarks refer to.
    @Key(generated: true) public var userId: Int32
    /// The name to sign in with.
    public var username: String
}
