// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The source of one enumeration: its members travel by their names.
struct EnumerationText {
    private let planned: GenerationPlan.PlannedEnumeration

    init(_ planned: GenerationPlan.PlannedEnumeration) { self.planned = planned }

    private var type: EnumerationType { planned.type }

    var lines: [String] {
        let head = SwiftNames.comment(type.description ?? "The values of \(type.names.wire).")
        return head + (type.isFlags ? flags : cases)
    }

    private var cases: [String] {
        var lines = ["public enum \(planned.name): String, PropertyValue, CaseIterable {"]
        for (member, name) in zip(type.members, planned.members) {
            lines += SwiftNames.comment(member.description, indent: "    ")
            let wire = member.name == name ? "" : " = \(SwiftNames.literal(member.name))"
            lines.append("    case \(SwiftNames.escaped(name))\(wire)")
        }
        return lines + ["}"]
    }

    /// A value of flags is the names of its members with commas between.
    private var flags: [String] {
        var lines = [
            "///", "/// Several members stand with commas between: `rawValue` is what travels.",
            "public struct \(planned.name): RawRepresentable, PropertyValue, Hashable {",
            "    /// The names of the members, with commas between.", "    public var rawValue: String", "",
            "    public init(rawValue: String) {", "        self.rawValue = rawValue", "    }",
        ]
        for (member, name) in zip(type.members, planned.members) {
            lines.append("")
            lines += SwiftNames.comment(member.description ?? "\(member.name).", indent: "    ")
            lines.append(
                "    public static let \(SwiftNames.escaped(name)) = \(planned.name)(rawValue: \(SwiftNames.literal(member.name)))"
            )
        }
        return lines + ["}"]
    }
}
