// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Somebody who uses the app on this device, and the file of their bookmarks.
public struct Account: Hashable, Sendable, Codable {
    /// By what the file and the kept sign-in are named: it tells nothing of the user.
    public let id: String
    /// The address of the service.
    public let service: String
    /// The name at the service, as the service writes it.
    public let user: String
    /// Whether the next start signs in by itself.
    public var isRemembered: Bool

    /// An account of a user, with an identifier by chance.
    public init(id: String, service: String, user: String, isRemembered: Bool) {
        self.id = id
        self.service = service
        self.user = user
        self.isRemembered = isRemembered
    }
}
