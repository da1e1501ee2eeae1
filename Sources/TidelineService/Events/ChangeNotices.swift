// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
public import TidelineOData

/// What changed between two looks at the log, told to each of several users as far as it concerns that user.
public struct ChangeNotices: Sendable {
    /// How far the changes are told of.
    public let id: String
    private let sets: [UserContext: Set<String>]

    init(id: String, sets: [UserContext: Set<String>] = [:]) {
        self.id = id
        self.sets = sets
    }

    /// What a user is told: that nothing changed, where it is none of those whom this was made for.
    public subscript(user: UserContext) -> ChangeNotice { ChangeNotice(id: id, sets: sets[user] ?? []) }
}
