// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineClient
import TidelineModel
import TidelineOData
import TidelineStore

/// Whether what a set is loaded into is still what the service has.
extension SyncRun {
    /// Makes sure that the rows of a set have the key here that they have at the service.
    ///
    /// Under another key some of them would take the places of others. A store that is just being cloned has the service's.
    ///
    /// - Throws: ``Fault/unfit(_:)``, which names both keys.
    func checkKey(of set: EntitySet) async throws {
        guard try await store.perform({ try $0.status().lastSuccess }) != nil, let other = try await served(set),
            Set(ModelFit.key(of: set)) != Set(ModelFit.key(of: other))
        else { return }
        throw Self.outgrown(ModelFit.keyDifference(set, other))
    }

    /// What a page that cannot be read comes to: where the service has another type for a property, that is the reason.
    func explained(_ error: ClientError, of set: EntitySet) async throws -> Fault {
        guard error.code == .unreadableAnswer, let difference = try await typeDifference(of: set) else {
            return .gone(error.naming(set.names.wire))
        }
        return Self.outgrown(difference)
    }

    /// The same for an entity that a push was answered with: without such a reason the next answer may be another one.
    func explained(_ entity: UnreadableEntity) async throws -> any Error {
        guard let difference = try await typeDifference(of: entity.set) else { return entity.cause }
        return Self.outgrown(difference)
    }

    /// That the service has another type for a property of a set, as a sentence; `nil` where it has not, or does not say.
    private func typeDifference(of set: EntitySet) async throws -> String? {
        guard let other = try await served(set) else { return nil }
        for property in set.type.properties {
            guard let place = other.type.propertyIndex(wire: property.names.wire) else { continue }
            let theirs = other.type.properties[place]
            // What else there is has another type on a device anyway.
            let isPlain = [property, theirs].allSatisfy { $0.structure == nil && $0.enumeration == nil }
            guard isPlain, let difference = ModelFit.typeDifference(property, theirs, in: set.names.wire) else {
                continue
            }
            return difference
        }
        return nil
    }

    /// The set as the service has it now; `nil` where it does not say: what it says of its sets holds up none of them.
    private func served(_ set: EntitySet) async throws -> EntitySet? {
        if pull.served == nil {
            do {
                pull.served = try await client.metadata().model.sets
            } catch let error as ClientError where error.status != nil || error.code == .unreadableAnswer {
                pull.served = []
            }
        }
        return pull.served?.first { $0.names.wire == set.names.wire }
    }

    private static func outgrown(_ difference: String) -> Fault {
        .unfit(
            SyncError(
                .setChanged,
                difference,
                advice: "Clone again: this file has the model of before, and changes of this set that wait are of that."
            )
        )
    }
}
