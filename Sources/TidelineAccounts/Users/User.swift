// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// A user of a domain.
public struct User: Hashable, Sendable {
    /// The name of the domain.
    public var domain: String
    /// The name to sign in with; no other user of the domain has it, in whatever letter case.
    public var name: String
    /// What `@me` stands for: a GUID, a string or an integer, unique in the domain.
    public var id: Value
    public var roles: [String]
    /// Other attributes of `@me`: each holds one value, or several.
    public var attributes: [String: [Value]]
    /// Whether sign-in is refused.
    public var isDisabled: Bool
    /// When the user was added, in seconds after 1970-01-01T00:00:00Z.
    public var created: Int64
    /// The directory of a user who lies in the domain's own tables; `nil` for one of the server's.
    public var directory: String?

    public init(
        domain: String,
        name: String,
        id: Value,
        roles: [String] = [],
        attributes: [String: [Value]] = [:],
        isDisabled: Bool = false,
        created: Int64 = 0,
        directory: String? = nil
    ) {
        self.domain = domain
        self.name = name
        self.id = id
        self.roles = roles
        self.attributes = attributes
        self.isDisabled = isDisabled
        self.created = created
        self.directory = directory
    }

    /// What expressions see of the user.
    public var context: UserContext {
        UserContext(id: id, name: name, roles: roles, attributes: attributes)
    }
}
