// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// The entity model of `control.sqlite`: users, failures of sign-in, tokens, and devices.
///
/// Moments are Int64 seconds after 1970; tokens stand in it as SHA-256 only, passwords as scrypt only.
public enum ControlModel {
    /// The model, for the store that is given to ``Accounts``.
    public static let model = EntityModel(
        namespace: "Tideline.Control",
        sets: [users, failures, families, accessTokens, refreshTokens, accountTokens, devices]
    )

    static let users = set(
        "Users",
        [
            text("Domain"), text("FoldedName"), text("Name"), text("Id"), text("Roles"), text("Attributes"),
            property("IsDisabled", .boolean), number("Created"),
            property("PasswordSalt", .binary), property("PasswordHash", .binary),
            number("Rounds"), number("BlockSize"), number("Parallelism"),
        ],
        key: 2,
        unique: [[0, 3]]
    )

    static let failures = set(
        "SignInFailures",
        [text("Domain"), text("FoldedName"), number("Failures"), number("LastFailure"), number("LockedUntil")],
        key: 2
    )

    static let families = set(
        "TokenFamilies",
        [
            text("Family"), text("Domain"), text("FoldedName"), text("Device"), number("Created"),
            number("ExpiresAt"), property("IsRevoked", .boolean),
        ],
        key: 1
    )

    static let accessTokens = set(
        "AccessTokens",
        [text("Hash"), text("Family"), number("ExpiresAt")],
        key: 1
    )

    static let refreshTokens = set(
        "RefreshTokens",
        [text("Hash"), text("Family"), number("ExpiresAt"), number("UsedAt"), text("Successor")],
        key: 1
    )

    /// `Account` and `User` are keys of directories' users; `User` is empty before one signed in.
    static let accountTokens = set(
        "AccountTokens",
        [
            text("Hash"), text("Domain"), text("Account"), text("AccountName"), text("User"), number("Created"),
            number("ExpiresAt"),
        ],
        key: 1
    )

    /// A `RevokedAt` of zero: not revoked.
    static let devices = set(
        "Devices",
        [
            text("Domain"), text("Client"), text("User"), text("Agent"), number("FirstSeen"), number("LastSeen"),
            number("RevokedAt"),
        ],
        key: 2
    )

    private static func set(_ name: String, _ properties: [Property], key: Int, unique: [[Int]] = []) -> EntitySet {
        EntitySet(
            names: Names(wire: name),
            type: EntityType(
                names: Names(wire: name + "Row"),
                properties: properties,
                key: Array(0..<key),
                uniqueKeys: unique
            )
        )
    }

    private static func property(_ name: String, _ type: PrimitiveType) -> Property {
        Property(names: Names(wire: name), type: type, isNullable: false)
    }

    private static func text(_ name: String) -> Property { property(name, .string) }

    private static func number(_ name: String) -> Property { property(name, .int64) }
}
