// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
public import TidelineStorage

/// A domain: one model over one database, and who may do what with it.
///
/// The value of a `domain.yaml`.
///
///     <data>/domains/<name>/domain.yaml
public struct Domain: Hashable, Sendable {
    /// The version of the file's layout that this code reads and writes.
    public static let format = 1

    /// The name in the service's address: lower-case letters, digits, `-` and `_`.
    public var name: String
    public var database: Database
    /// Whether everybody may read and write everything, signed in or not: then there are no policies.
    public var isOpen: Bool
    /// Whether a change of an entity must name the version that it changes (`If-Match`).
    public var requiresIfMatch: Bool
    /// Whether every user is told of the whole model, sets included that it may do nothing with.
    public var tellsWholeModel = false
    public var model: EntityModel
    /// Where its users are found, when they lie in its own tables; none for a domain whose users the server keeps.
    public var signIn: [SignInDirectory] = []
    /// What the clients of Six Bookmarks of 2010 find here; `nil` where they find nothing.
    public var sixBookmarks: SixBookmarksCompatibility?
    /// What clients of the fishing app find here; `nil` where they find nothing.
    public var fishing: FishingCompatibility?
    /// What was decided when its database was published.
    public var publishing = PublishingChoices()
    /// What is allowed; what no policy allows is refused.
    public var policies: [Policy]
    public var limits: ServiceLimits
    /// How much of the change log is kept; who has been away for longer loads anew.
    public var retention: LogRetention

    /// What a domain keeps that says nothing else: 90 days, and ten million changes at most.
    public static let defaultRetention = LogRetention(seconds: 90 * 86_400, entries: 10_000_000)

    public init(
        name: String,
        database: Database,
        isOpen: Bool = false,
        requiresIfMatch: Bool = false,
        model: EntityModel,
        policies: [Policy] = [],
        limits: ServiceLimits = ServiceLimits(),
        retention: LogRetention = Self.defaultRetention
    ) {
        self.name = name
        self.database = database
        self.isOpen = isOpen
        self.requiresIfMatch = requiresIfMatch
        self.model = model
        self.policies = policies
        self.limits = limits
        self.retention = retention
    }
}
