// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// A service's model as a device holds it, and what it does not hold.
struct DeviceModel {
    private(set) var model: EntityModel
    /// What stays on the service, as sentences without an end mark: `Docs.Photo: a stream`.
    private(set) var leftOut: [String] = []

    /// - Parameters:
    ///   - metadata: what the service tells.
    ///   - readable: the sets that the user may read by their names.
    init(_ metadata: ServiceMetadata, readable: [String]) {
        let service = metadata.model
        var sets = service.sets
        for place in sets.indices {
            let name = sets[place].names.wire
            if !readable.contains(name) {
                leftOut.append("\(name): no set that can be read by its name")
                continue
            }
            // Told last of all properties, so no other one changes its place.
            if let bag = sets[place].type.dynamicProperty, bag == sets[place].type.properties.count - 1 {
                sets[place].type.properties.removeLast()
                leftOut.append("\(name): the properties that its model does not declare")
            }
            for index in sets[place].type.properties.indices where sets[place].type.properties[index].stream != nil {
                // Its column stays, so that no other one changes its place; nothing crosses the wire.
                sets[place].type.properties[index].isLocalOnly = true
                sets[place].type.properties[index].isNullable = true
                leftOut.append(
                    "\(name).\(sets[place].type.wirePath(of: index)): a stream, which is read at its own address"
                )
            }
        }
        leftOut += metadata.warnings.map { String($0.hasSuffix(".") ? $0.dropLast() : $0[...]) }
        model = EntityModel(namespace: service.namespace, container: service.container, sets: sets)
        model.enumerations = service.enumerations
        model.complexTypes = service.complexTypes
        model.singletons = service.singletons
        model.description = service.description
        for singleton in service.singletons where model[set: singleton.set] == nil {
            leftOut.append("\(singleton.names.wire): a singleton without a set")
        }
    }
}
