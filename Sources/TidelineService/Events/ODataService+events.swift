// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
public import TidelineOData
import TidelineStorage

extension ODataService {
    /// So many changed rows of a set are looked at for all who listen, and for one alone: who comes again does not come
    /// alone, and to be told without need costs less than more of them.
    private static let mostRows = (ofAll: 1_000, ofOne: 100)

    /// What changed since an earlier notice, by anybody, through this service or past it, as far as it concerns a user.
    ///
    /// A set is named when one of its rows changed that the user could see then or can see now. Where that cannot be
    /// told any more (the log was compacted, or begun anew) every set is named that the user may read.
    ///
    /// - Parameter id: that of the earlier notice; `nil` for a first one, which names nothing.
    /// - Throws: ``StorageError``.
    public func notice(since id: String?, for user: UserContext) throws -> ChangeNotice {
        try notices(since: id, Self.mostRows.ofOne) { [user] }[user]
    }

    /// The same for several users, by one look.
    ///
    /// - Parameter users: called, where anything changed, when the look has its snapshot, so that whoever comes later and
    ///   looks for itself sees no less than this look did.
    public func notices(since id: String?, for users: () -> Set<UserContext>) throws -> ChangeNotices {
        try notices(since: id, Self.mostRows.ofAll, for: users)
    }

    private func notices(
        since id: String?,
        _ mostRows: Int,
        for users: () -> Set<UserContext>
    ) throws -> ChangeNotices {
        try store.read { reader in
            let now = try reader.position()
            let next = core.eventID(at: now)
            guard let id, id != next else { return ChangeNotices(id: next, []) { _ in [] } }
            let users = users()
            guard let since = core.position(ofEvent: id) else { return everything(next, users) }
            do {
                let concerned = ConcernedSets(
                    model: core.planner.model,
                    reader: reader,
                    since: since,
                    changed: try reader.changedSets(since: since),
                    mostRows: mostRows
                )
                return try ChangeNotices(id: next, users) { try concerned.sets(for: $0, reach(of: $0)) }
            } catch let error as StorageError where [.gone, .epochChanged, .logRestored].contains(error.code) {
                return everything(next, users)
            }
        }
    }

    private func everything(_ id: String, _ users: Set<UserContext>) -> ChangeNotices {
        let every = Set(domain.model.sets.map(\.names.wire))
        return ChangeNotices(id: id, users) { reach(of: $0).sets(for: every) }
    }

    /// Which changes may concern a user.
    func reach(of user: UserContext) -> ChangeReach {
        reaches.value(for: user) {
            ChangeReach(model: core.planner.model, policies: core.planner.policies, user: user)
        }
    }
}

extension Core {
    /// The first byte of what the id of an event carries, so that a token of a link is none.
    private static var eventMark: UInt8 { 2 }

    /// The id of an event that tells of everything up to a position: always the same for the same.
    func eventID(at position: FeedPosition) -> String { signer.sign([Self.eventMark] + position.bytes) }

    /// How far the event of an id told; `nil` for an id that is not of this domain.
    func position(ofEvent id: String) -> FeedPosition? {
        guard let payload = signer.payload(of: id), payload.first == Self.eventMark else { return nil }
        return FeedPosition(bytes: Array(payload.dropFirst()))
    }
}
