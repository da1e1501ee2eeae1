// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
public import TidelineOData
import TidelineStorage

extension ODataService {
    /// The first byte of what an identifier of a notice carries, so that a token of a link is none.
    private static let noticeMark: UInt8 = 2

    /// What changed since an earlier notice, by anybody, through this service or past it.
    ///
    /// Where that cannot be told any more (the log was compacted, or begun anew) every set is named.
    ///
    /// - Parameter id: that of the earlier notice; `nil` for a first one, which names nothing.
    /// - Throws: ``StorageError``.
    public func notice(since id: String?) throws -> ChangeNotice {
        let every = Set(domain.model.sets.map(\.names.wire))
        return try store.read { reader in
            let now = try reader.position()
            let next = core.signer.sign([Self.noticeMark] + now.bytes)
            guard let id else { return ChangeNotice(id: next, sets: []) }
            guard id != next else { return ChangeNotice(id: id, sets: []) }
            guard let payload = core.signer.payload(of: id), payload.first == Self.noticeMark else {
                return ChangeNotice(id: next, sets: every)
            }
            let since = FeedPosition(bytes: Array(payload.dropFirst()))
            do {
                return ChangeNotice(id: next, sets: try reader.changedSets(since: since))
            } catch let error as StorageError where [.gone, .epochChanged, .logRestored].contains(error.code) {
                return ChangeNotice(id: next, sets: every)
            }
        }
    }

    /// Which changes concern a user.
    public func reach(of user: UserContext) -> ChangeReach {
        reaches.value(for: user) {
            ChangeReach(model: core.planner.model, policies: core.planner.policies, user: user)
        }
    }
}
