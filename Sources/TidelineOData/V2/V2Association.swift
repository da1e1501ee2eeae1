// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// An association of v2: what v4 says with a navigation property and its partner.
struct V2Association {
    var name: String
    var source: EntitySet
    var target: EntitySet
    var sourceMultiplicity: String
    var targetMultiplicity: String
    /// The names of the foreign key's properties in the source, and those of the target's key.
    var constraint: (dependent: [String], principal: [String])?

    /// Every association, once for both of its ends.
    static func all(_ context: V2Context) -> [V2Association] {
        var found: [V2Association] = []
        for set in context.model.sets where !set.isContained {
            for navigation in set.type.navigationProperties where context.isVisible(navigation) {
                guard let target = context.model[set: navigation.targetSet],
                    isFirst(navigation, set, partner(navigation, target), target)
                else { continue }
                found.append(V2Association(navigation, set, target))
            }
        }
        return found
    }

    private init(_ navigation: NavigationProperty, _ set: EntitySet, _ target: EntitySet) {
        let partner = Self.partner(navigation, target)
        name = Self.name(navigation, set)
        source = set
        self.target = target
        sourceMultiplicity =
            partner.map(Self.multiplicity) ?? (navigation.isCollection && navigation.link == nil ? "0..1" : "*")
        targetMultiplicity = Self.multiplicity(navigation)
        if navigation.isDependent {
            constraint = (
                navigation.constraints.map { set.type.properties[$0.source].names.wire },
                navigation.constraints.map { target.type.properties[$0.target].names.wire }
            )
        }
    }

    private static func name(_ navigation: NavigationProperty, _ set: EntitySet) -> String {
        "\(set.type.names.wire)_\(navigation.names.wire)"
    }

    private static func multiplicity(_ navigation: NavigationProperty) -> String {
        navigation.isCollection ? "*" : navigation.isNullable || !navigation.isDependent ? "0..1" : "1"
    }

    private static func partner(_ navigation: NavigationProperty, _ target: EntitySet) -> NavigationProperty? {
        navigation.partner.flatMap { name in target.type.navigationProperties.first { $0.names.wire == name } }
    }

    /// Of two ends the one that holds the foreign key gives the name, else the one that is first in the alphabet.
    private static func isFirst(
        _ navigation: NavigationProperty,
        _ set: EntitySet,
        _ partner: NavigationProperty?,
        _ target: EntitySet
    ) -> Bool {
        guard let partner else { return true }
        if navigation.isDependent != partner.isDependent { return navigation.isDependent }
        return name(navigation, set) <= name(partner, target)
    }

    /// How a navigation property names its association and the roles of the two ends.
    static func end(of navigation: NavigationProperty, in set: EntitySet, _ context: V2Context) -> (
        association: String, from: String, to: String
    )? {
        guard let target = context.model[set: navigation.targetSet] else { return nil }
        let partner = partner(navigation, target)
        if isFirst(navigation, set, partner, target) { return (name(navigation, set), "Source", "Target") }
        return partner.map { (name($0, target), "Target", "Source") }
    }

    func write(_ namespace: String, to xml: inout XMLWriter) {
        xml.element("Association", [("Name", name)]) { xml in
            let ends = [("Source", source, sourceMultiplicity), ("Target", target, targetMultiplicity)]
            for (role, set, multiplicity) in ends {
                let type = "\(namespace).\(set.type.names.wire)"
                xml.element("End", [("Role", role), ("Type", type), ("Multiplicity", multiplicity)])
            }
            guard let constraint else { return }
            xml.element("ReferentialConstraint", []) { xml in
                for (element, role, names) in [
                    ("Principal", "Target", constraint.principal), ("Dependent", "Source", constraint.dependent),
                ] {
                    xml.element(element, [("Role", role)]) { xml in
                        for name in names { xml.element("PropertyRef", [("Name", name)]) }
                    }
                }
            }
        }
    }

    func writeSet(_ namespace: String, to xml: inout XMLWriter) {
        xml.element("AssociationSet", [("Name", "\(name)Set"), ("Association", "\(namespace).\(name)")]) { xml in
            xml.element("End", [("Role", "Source"), ("EntitySet", source.names.wire)])
            xml.element("End", [("Role", "Target"), ("EntitySet", target.names.wire)])
        }
    }
}
