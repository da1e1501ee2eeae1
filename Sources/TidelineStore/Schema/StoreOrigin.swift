// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Where the rows of a store come from.
public struct StoreOrigin: Hashable, Sendable {
    /// The root URL of the domain's service, with a slash at its end.
    public var serviceURL: String
    /// The user who signed in when the store was made, or `nil` in an open domain.
    public var userName: String?

    public init(serviceURL: String, userName: String? = nil) {
        self.serviceURL = serviceURL
        self.userName = userName
    }
}
