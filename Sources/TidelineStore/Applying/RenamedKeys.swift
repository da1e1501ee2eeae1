// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
package import TidelineModel

/// The keys that the server gave in the place of temporary ones since the store was opened.
///
/// What an app read before a sync may hold a temporary key still. The newest are remembered, a bounded number of them.
final class RenamedKeys: Sendable {
    private struct State {
        var keys: [RowIdentity: [Value]] = [:]
        var order: [RowIdentity] = []
    }

    private static let most = 10_000
    private let state = Mutex(State())

    func note(_ renamed: [(old: RowIdentity, new: RowIdentity)]) {
        guard !renamed.isEmpty else { return }
        state.withLock { state in
            for (old, new) in renamed {
                if state.keys.updateValue(new.key, forKey: old) == nil { state.order.append(old) }
            }
            guard state.order.count > Self.most else { return }
            let forgotten = state.order.count - Self.most / 2
            for identity in state.order.prefix(forgotten) { state.keys[identity] = nil }
            state.order.removeFirst(forgotten)
        }
    }

    func key(_ identity: RowIdentity) -> [Value]? { state.withLock { $0.keys[identity] } }
}

extension LocalStore {
    /// The key that an entity has now, where it had a temporary one when it was read.
    package func currentKey(_ key: Key, in set: String) -> Key {
        guard let index = model.setIndex(wire: set) else { return key }
        return renamedKeys.key(RowIdentity(set: index, key: key.values)).map(Key.init) ?? key
    }
}
