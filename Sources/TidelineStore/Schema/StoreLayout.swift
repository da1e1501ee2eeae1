// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel
import TidelineSQLite

/// All entity sets in the file, with the ties between them.
struct StoreLayout: Sendable {
    let model: EntityModel
    private(set) var sets: [SetLayout]
    /// Reads plans over the tables of the file.
    let plans: PlanRunner

    /// - Parameter model: as ``stored(_:)`` makes it.
    init(_ model: EntityModel) {
        self.model = model
        plans = PlanRunner(model: model)
        sets = model.sets.enumerated().map { SetLayout(index: $0, set: $1) }
        var found: [SetLayout.Reference] = []
        for layout in sets {
            for (place, navigation) in layout.set.type.navigationProperties.enumerated() {
                guard let other = model.setIndex(wire: navigation.targetSet) else { continue }
                let sources = navigation.constraints.map(\.source)
                let targets = navigation.constraints.map(\.target)
                guard !sources.isEmpty else { continue }
                let reference =
                    navigation.isDependent
                    ? SetLayout.Reference(
                        child: layout.index,
                        childPlaces: sources,
                        parent: other,
                        parentPlaces: targets,
                        rule: navigation.onDelete,
                        navigation: place
                    )
                    : SetLayout.Reference(
                        child: other,
                        childPlaces: targets,
                        parent: layout.index,
                        parentPlaces: sources,
                        rule: navigation.onDelete,
                        navigation: nil
                    )
                let twin = found.firstIndex {
                    $0.child == reference.child && $0.childPlaces == reference.childPlaces
                        && $0.parent == reference.parent && $0.parentPlaces == reference.parentPlaces
                }
                if let twin {
                    // The rule stands on both ends; where one end is silent, the other speaks.
                    if found[twin].rule == .none { found[twin].rule = reference.rule }
                    if found[twin].navigation == nil { found[twin].navigation = reference.navigation }
                } else {
                    found.append(reference)
                }
            }
        }
        for reference in found {
            sets[reference.child].outgoing.append(reference)
            sets[reference.parent].incoming.append(reference)
        }
    }

    /// The layout of a set.
    ///
    /// - Throws: ``LocalStoreError/Code/unknownSet``.
    func set(_ wire: String) throws -> SetLayout {
        guard let index = model.setIndex(wire: wire) else {
            throw LocalStoreError(.unknownSet, set: wire, message: "The store has no entity set '\(wire)'.")
        }
        return sets[index]
    }

    /// A model as a device's file holds it: tables and columns named as on the wire, storage forms of the device.
    static func stored(_ model: EntityModel) throws -> EntityModel {
        var tables = Set<String>()
        let sets = try model.sets.map { set in
            let name = set.names.wire.lowercased()
            guard tables.insert(name).inserted, !DeviceNames.isKept(set: name) else {
                throw LocalStoreError(
                    .unsupported,
                    set: set.names.wire,
                    message: "An entity set cannot be named '\(set.names.wire)' here."
                )
            }
            var stored = set
            stored.names.database = set.names.wire
            stored.type.properties = set.type.properties.map { DeviceColumn.stored($0, in: model) }
            let columns = Set(stored.type.properties.map { $0.names.wire.lowercased() })
            if let kept = columns.intersection(DeviceNames.keptProperties).min() {
                throw LocalStoreError(
                    .unsupported,
                    set: set.names.wire,
                    message: "A property of '\(set.names.wire)' cannot be named '\(kept)' here."
                )
            }
            guard columns.count == stored.type.properties.count, !set.type.key.isEmpty else {
                throw LocalStoreError(
                    .unsupported,
                    set: set.names.wire,
                    message: "The properties of '\(set.names.wire)' need distinct names, and a key."
                )
            }
            return stored
        }
        let stored = EntityModel(namespace: model.namespace, container: model.container, sets: sets)
        return stored.replacing(
            sets: try zip(model.sets, sets).map { original, set in
                var set = set
                set.type.rules = try StoredRules.rules(of: original, in: model, stored: stored)
                return set
            }
        )
    }
}

extension EntityModel {
    /// The model as a device's file holds it: members of enumerations by their names, structured values as JSON text.
    ///
    /// - Throws: ``LocalStoreError/Code/unsupported`` for names that no file can hold.
    package func asOnDevice() throws -> EntityModel { try StoreLayout.stored(self) }
}
