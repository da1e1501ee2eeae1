// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Whether the rows of a store can be those of a service.
struct ModelFit {
    /// What does not fit, as sentences.
    private(set) var differences: [String] = []
    /// The wire names of the properties to ask for, by the set; sets of which all are asked for are not in it.
    private(set) var narrowed: [String: [String]] = [:]

    /// - Parameters:
    ///   - store: the model of the store.
    ///   - service: the model of the service as a device holds it.
    ///   - rows: how many rows each set of the store has.
    init(store: EntityModel, service: EntityModel, rows: [String: Int]) {
        for set in store.sets {
            guard let other = service[set: set.names.wire] else {
                differences.append("The service has no set \(set.names.wire) that you may read.")
                continue
            }
            if other.isReadOnly, rows[set.names.wire] ?? 0 > 0 {
                differences.append("\(set.names.wire) can only be read at the service, and the store has rows in it.")
            }
            compare(set, other, in: store)
        }
    }

    /// The names of the key properties, in order.
    static func key(of set: EntitySet) -> [String] { set.type.key.map { set.type.properties[$0].names.wire } }

    /// That a set has another key at the service, as a sentence.
    static func keyDifference(_ set: EntitySet, _ other: EntitySet) -> String {
        "The key of \(set.names.wire) is (\(key(of: set).joined(separator: ", "))) here and "
            + "(\(key(of: other).joined(separator: ", "))) at the service."
    }

    /// That a property has another type at the service, as a sentence; `nil` where it has the same.
    static func typeDifference(_ mine: Property, _ theirs: Property, in set: String) -> String? {
        guard mine.type != theirs.type || mine.structure != theirs.structure else { return nil }
        return "\(set).\(mine.names.wire) is \(mine.type.rawValue) here and \(theirs.type.rawValue) at the service."
    }

    private mutating func compare(_ set: EntitySet, _ other: EntitySet, in store: EntityModel) {
        let name = set.names.wire
        if Self.key(of: set) != Self.key(of: other) { differences.append(Self.keyDifference(set, other)) }
        let travelling = set.type.properties.filter { !$0.isLocalOnly }
        for property in travelling {
            guard let place = other.type.propertyIndex(wire: property.names.wire),
                !other.type.properties[place].isLocalOnly
            else {
                differences.append("The service has no \(name).\(property.names.wire).")
                continue
            }
            compare(property, other.type.properties[place], in: name)
            let counted = (set.type.propertyIndex(wire: property.names.wire).map(set.type.isCounted) ?? false)
            if counted != other.type.isCounted(place) {
                differences.append(
                    "\(name).\(property.names.wire) is made by the \(counted ? "server" : "client") here and by the "
                        + "\(counted ? "client" : "server") at the service."
                )
            }
        }
        let names = Set(travelling.map(\.names.wire))
        let others = other.type.properties.filter { !$0.isLocalOnly && !names.contains($0.names.wire) }
        for property in others
        where !property.isNullable && property.defaultValue == nil && property.generation == .none
            && property.isWritable
        {
            differences.append("The service needs \(name).\(property.names.wire), which the store does not have.")
        }
        if !others.isEmpty { narrowed[name] = travelling.map(\.names.wire) }
        compareReferences(set, other, in: store)
    }

    private mutating func compare(_ mine: Property, _ theirs: Property, in set: String) {
        let name = "\(set).\(mine.names.wire)"
        if let difference = Self.typeDifference(mine, theirs, in: set) {
            differences.append(difference)
            return
        }
        if mine.isNullable, !theirs.isNullable, theirs.generation == .none {
            differences.append("\(name) may be null here and not at the service.")
        }
        if let length = theirs.maxLength, mine.maxLength ?? .max > length {
            differences.append(
                "\(name) may be longer here (\(mine.maxLength.map(String.init) ?? "without limit")) than at the service (\(length))."
            )
        }
        if mine.type == .decimal, let scale = theirs.scale, mine.scale ?? .max > scale {
            differences.append(
                "\(name) has more digits after the point here (\(mine.scale.map(String.init) ?? "any number")) than at the "
                    + "service (\(scale))."
            )
        }
        if mine.isWritable, theirs.generation == .always {
            differences.append("\(name) is computed by the service and cannot be sent.")
        }
    }

    /// References under temporary keys travel by the names of their navigation properties.
    private mutating func compareReferences(_ set: EntitySet, _ other: EntitySet, in store: EntityModel) {
        for navigation in set.type.navigationProperties
        where navigation.isDependent && store[set: navigation.targetSet]?.type.hasGeneratedKey == true {
            let name = "\(set.names.wire).\(navigation.names.wire)"
            guard let place = other.type.navigationIndex(wire: navigation.names.wire) else {
                differences.append("The service has no reference \(name).")
                continue
            }
            let theirs = other.type.navigationProperties[place]
            if theirs.targetSet != navigation.targetSet || theirs.isCollection {
                differences.append(
                    "\(name) leads to \(navigation.targetSet) here and to \(theirs.targetSet) at the service."
                )
            }
        }
    }
}
