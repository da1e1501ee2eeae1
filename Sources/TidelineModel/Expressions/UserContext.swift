// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Who asks: the record of the signed-in user that `@me` stands for in expressions.
public struct UserContext: Hashable, Sendable {
    /// The user's identifier, the value of bare `@me`; null for nobody.
    public var id: Value
    /// The user's name.
    public var name: String?
    public var roles: [String]
    /// Other attributes: each holds one value, or several for `in`.
    public var attributes: [String: [Value]]

    public init(id: Value, name: String? = nil, roles: [String] = [], attributes: [String: [Value]] = [:]) {
        self.id = id
        self.name = name
        self.roles = roles
        self.attributes = attributes
    }

    /// Nobody: a request without sign-in to a domain that is open.
    public static let anonymous = UserContext(id: .null)
}
