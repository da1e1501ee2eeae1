// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TidelineClient
import TidelineModel

/// The versions of entities that a service has handed out: what a change builds on.
///
/// A bounded number of them; an entity that fell out is read again before it is changed.
final class SeenVersions: Sendable {
    private struct State {
        var versions: [Key: RemoteEntity] = [:]
        var order: [Key] = []
    }

    private static let most = 5000
    private let state = Mutex(State())

    func note(_ entity: RemoteEntity, of key: Key) {
        state.withLock { state in
            if state.versions.updateValue(entity, forKey: key) == nil { state.order.append(key) }
            guard state.order.count > Self.most else { return }
            for old in state.order.prefix(Self.most / 2) { state.versions[old] = nil }
            state.order.removeFirst(Self.most / 2)
        }
    }

    func forget(_ key: Key) {
        state.withLock { state in
            guard state.versions.removeValue(forKey: key) != nil else { return }
            state.order.removeAll { $0 == key }
        }
    }

    subscript(key: Key) -> RemoteEntity? { state.withLock { $0.versions[key] } }
}
