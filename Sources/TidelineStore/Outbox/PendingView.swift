// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The outbox as the sync engine sees it: changes with what ties them to each other.
struct PendingView {
    let log: PendingLog
    let layout: StoreLayout

    init(_ log: PendingLog, _ layout: StoreLayout) {
        self.log = log
        self.layout = layout
    }

    /// - Parameter last: the number of the last transaction to return.
    func transactions(through last: Int64, _ frozen: [Int64: FrozenGroup]) -> [PendingTransaction] {
        var previous: [RowIdentity: PendingChange.Reference] = [:]
        var inserts: [RowIdentity: PendingChange.Reference] = [:]
        return log.entries.prefix { $0.number <= last }.map { entry in
            var changes: [PendingChange] = []
            for (place, change) in entry.changes.enumerated() {
                let identity = change.identity
                let here = PendingChange.Reference(number: entry.number, place: place)
                changes.append(
                    PendingChange(
                        change: change.change(layout), baseETag: ETagText.etag(change.etag),
                        hasTemporaryKey: isTemporary(identity), previous: previous[identity],
                        temporaryReferences: references(change, inserts)))
                previous[identity] = here
                if change.operation == .insert { inserts[identity] = here }
            }
            return PendingTransaction(number: entry.number, frozen: frozen[entry.number], changes: changes)
        }
    }

    private func isTemporary(_ identity: RowIdentity) -> Bool {
        let set = layout.sets[identity.set]
        return zip(set.key, identity.key).contains { place, value in
            if case .integer(let number) = value { set.rules[place].isGeneratedKey && number < 0 } else { false }
        }
    }

    private func references(
        _ change: OutboxChange, _ inserts: [RowIdentity: PendingChange.Reference]
    ) -> [PendingChange.TemporaryReference] {
        layout.sets[change.set].outgoing.compactMap { reference in
            guard let navigation = reference.navigation, reference.parentPlaces == layout.sets[reference.parent].key else {
                return nil
            }
            let key = reference.childPlaces.compactMap { change.after($0) }
            let parent = RowIdentity(set: reference.parent, key: key)
            guard key.count == reference.childPlaces.count, isTemporary(parent), let target = inserts[parent] else {
                return nil
            }
            return PendingChange.TemporaryReference(navigation: navigation, target: target)
        }
    }
}
