// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
public import TidelineOData

/// What changed between two looks at the log, told to each of several users as far as it concerns that user.
public struct ChangeNotices: Sendable {
    /// How far the changes are told of.
    public let id: String
    private let sets: [UserContext: Set<String>]

    init(id: String, _ users: Set<UserContext>, sets: (UserContext) throws -> Set<String>) rethrows {
        self.id = id
        self.sets = Dictionary(uniqueKeysWithValues: try users.map { ($0, try sets($0)) })
    }

    /// What a user is told: that nothing changed, where it is none of those whom this was made for.
    public subscript(user: UserContext) -> ChangeNotice { ChangeNotice(id: id, sets: sets[user] ?? []) }
}
