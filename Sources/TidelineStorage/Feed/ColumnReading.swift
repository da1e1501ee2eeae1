// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// How a property tells what stands in its column.
struct ColumnReading: Hashable {
    /// Name, type, storage form, and what else counts for every value, as a text.
    private var form: String
    /// What the members of an enumeration are told as, by the text of what is stored.
    private var members: [String: String] = [:]

    init(_ property: Property, in model: EntityModel) {
        var parts = [property.names.wire, property.type.rawValue, property.storage.rawValue]
        // A decimal that is stored as a number has its digits from the scale.
        if property.type == .decimal, property.storage != .decimalText {
            parts.append(property.scale.map(String.init) ?? "-")
        }
        if let structure = property.structure { parts.append("\(structure)") }
        if let type = property.enumeration.flatMap({ model[enumeration: $0] }) {
            let isByName = property.storage == .memberName
            for member in type.members {
                // The number is not told, but the ETag is made of it.
                members[isByName ? member.name : String(member.value)] = "\(member.name)=\(member.value)"
            }
            // A value of several members is none of these texts.
            if type.isFlags { parts += members.values.sorted() }
        }
        form = parts.joined(separator: " ")
    }

    /// The stored values that are told otherwise than by another reading, as texts in order; `nil` for all.
    func values(otherThan other: ColumnReading) -> [String]? {
        guard form == other.form else { return nil }
        return Set(members.keys).union(other.members.keys).filter { members[$0] != other.members[$0] }.sorted()
    }

    // MARK: As JSON

    /// A form alone as a text, one with members as an array of both.
    var json: JSONValue {
        guard !members.isEmpty else { return .string(form) }
        let list = members.sorted { $0.key < $1.key }.map { JSONValue.Member(name: $0, value: .string($1)) }
        return .array([.string(form), .object(list)])
    }

    init?(json: JSONValue) {
        switch json {
        case .string(let form): self.form = form
        case .array(let parts):
            guard parts.count == 2, case .string(let form) = parts[0], case .object(let list) = parts[1] else {
                return nil
            }
            self.form = form
            for member in list {
                guard case .string(let told) = member.value else { return nil }
                members[member.name] = told
            }
        default: return nil
        }
    }
}
