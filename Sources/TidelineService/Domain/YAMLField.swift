// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Yams

/// One node of the file with the way to it, so that every complaint names its line.
struct YAMLField {
    var node: Node
    /// How the node is called in a message: `sets[2].key`.
    var path: String

    /// The line of the node, from 1.
    var line: Int? {
        switch node {
        case .scalar(let scalar): scalar.mark?.line
        case .mapping(let mapping): mapping.mark?.line
        case .sequence(let sequence): sequence.mark?.line
        default: nil
        }
    }

    func error(_ code: DomainError.Code, _ message: String) -> DomainError {
        DomainError(code, line: line, message: message)
    }

    /// The fields of a mapping.
    ///
    /// - Parameter allowed: the keys that are known here; any other is refused by name.
    func fields(_ allowed: Set<String>) throws(DomainError) -> [String: YAMLField] {
        guard case .mapping(let mapping) = node else { throw error(.value, "\(path) is not a mapping.") }
        var fields: [String: YAMLField] = [:]
        for (key, value) in mapping {
            guard case .scalar(let scalar) = key else { throw error(.key, "\(path) has a key that is not text.") }
            let name = scalar.string
            guard allowed.contains(name) else {
                throw DomainError(
                    .key,
                    line: scalar.mark?.line ?? line,
                    message: "\(path) has no key \"\(name)\"; known are \(allowed.sorted().joined(separator: ", "))."
                )
            }
            guard fields[name] == nil else {
                throw DomainError(.key, line: scalar.mark?.line ?? line, message: "\(path) has \"\(name)\" twice.")
            }
            fields[name] = YAMLField(node: value, path: path == "The file" ? name : "\(path).\(name)")
        }
        return fields
    }

    /// The members of a mapping whose keys are names, in their order.
    func members() throws(DomainError) -> [(name: String, value: YAMLField)] {
        guard case .mapping(let mapping) = node else { throw error(.value, "\(path) is not a mapping.") }
        var members: [(name: String, value: YAMLField)] = []
        for (key, value) in mapping {
            guard case .scalar(let scalar) = key else { throw error(.key, "\(path) has a key that is not text.") }
            members.append((scalar.string, YAMLField(node: value, path: "\(path).\(scalar.string)")))
        }
        return members
    }

    func items() throws(DomainError) -> [YAMLField] {
        guard case .sequence(let sequence) = node else { throw error(.value, "\(path) is not a list.") }
        return sequence.enumerated().map { YAMLField(node: $1, path: "\(path)[\($0 + 1)]") }
    }

    var isMapping: Bool {
        if case .mapping = node { true } else { false }
    }

    /// Whether the node is YAML's null.
    var isNull: Bool {
        if case .scalar(let scalar) = node, scalar.style != .singleQuoted, scalar.style != .doubleQuoted {
            ["", "~", "null"].contains(scalar.string)
        } else {
            false
        }
    }

    func string() throws(DomainError) -> String {
        guard case .scalar(let scalar) = node, !isNull else { throw error(.value, "\(path) is not text.") }
        return scalar.string
    }

    func bool() throws(DomainError) -> Bool {
        switch try string() {
        case "true": return true
        case "false": return false
        default: throw error(.value, "\(path) is neither true nor false.")
        }
    }

    func integer(_ range: ClosedRange<Int>) throws(DomainError) -> Int {
        guard let value = Int(try string()), range.contains(value) else {
            throw error(.value, "\(path) is not a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return value
    }

    func strings() throws(DomainError) -> [String] {
        var strings: [String] = []
        for item in try items() { strings.append(try item.string()) }
        return strings
    }

    /// One of the raw values of an enumeration.
    func choice<Choice: RawRepresentable<String>>(_ choices: [Choice]) throws(DomainError) -> Choice {
        let text = try string()
        guard let choice = choices.first(where: { $0.rawValue == text }) else {
            let known = choices.map(\.rawValue).joined(separator: ", ")
            throw error(.value, "\(path) is \"\(text)\"; known are \(known).")
        }
        return choice
    }
}

extension [String: YAMLField] {
    /// The field of that key.
    ///
    /// - Parameter owner: the mapping, for the line of the complaint.
    func required(_ key: String, of owner: YAMLField) throws(DomainError) -> YAMLField {
        guard let field = self[key] else { throw owner.error(.key, "\(owner.path) lacks \"\(key)\".") }
        return field
    }
}
